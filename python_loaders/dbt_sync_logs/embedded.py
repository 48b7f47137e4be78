"""Start of the embedded Spark: checks first, then the session, with its noise in a log file."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from . import class_archive
from .checks import (
    CATALOG_SETTING,
    HOME_IN_PROFILE,
    HOME_VARIABLE,
    EmbeddedSparkError,
    check_java,
    check_path,
    hold_catalog,
    make_home,
)
from .messages import EmbeddedSparkRuntimeError, silence_handled_errors
from .one_build import hold_schema
from .relocation import follow_move
from .remote import check_server, server_of

CLONE_PROFILE = "sync_logs"
HOLDS_CATALOG = "spark.sync_logs.holdsCatalog"
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
CATALOG_KIND = "spark.sql.catalogImplementation"
WAREHOUSE_SETTING = "spark.sql.warehouse.dir"
# They only read what builds have written, and would otherwise fail on the first table of many.
READING_COMMANDS = ("show", "test", "generate", "run-operation")
# Made to be asked when nothing works yet.
DIAGNOSES = ("sync_logs_doctor",)
# Homes and servers that this process has checked, a server once in each dbt command.
_prepared: set[object] = set()
# dbt opens connections in several threads at once
_preparing = Lock()


def name_profile(profile: Any) -> None:
    """Remember with the credentials of a profile which one it is: messages differ by it."""
    # another adapter built on dbt-spark may have credentials that take nothing
    with suppress(AttributeError):
        profile.credentials.sync_logs_profile_name = profile.profile_name


def is_clone(credentials: Any) -> bool:
    """Whether a connection is of the profile of a clone, not of a project that uses the package."""
    return getattr(credentials, "sync_logs_profile_name", CLONE_PROFILE) == CLONE_PROFILE


def prepare_once(credentials: Any) -> None:
    """Check and start the embedded Spark of a connection, or look for its Spark Connect server.

    Of any other connection only the lock file that its profile may name is looked at. Raises
    DbtRuntimeError with one or two sentences that say what to do.
    """
    if is_session(credentials):
        silence_handled_errors()
    with _preparing:
        try:
            if is_session(credentials):
                _prepare_server(credentials)
            _hold_schema(credentials)
            home = embedded_home(credentials)
            if home is not None and home not in _prepared:
                _check_command(credentials, home)
                for line in prepare_home(home, is_clone(credentials)):
                    _tell(line)
                start_session(
                    settings_at(home, credentials.server_side_parameters),
                    home / "logs" / "spark.log",
                )
                _prepared.add(home)
        except EmbeddedSparkError as error:
            raise EmbeddedSparkRuntimeError(str(error)) from None


def _hold_schema(credentials: Any) -> None:
    from dbt.flags import get_flags

    hold_schema(credentials, get_flags())


def _prepare_server(credentials: Any) -> None:
    from dbt_common.invocation import get_invocation_id

    settings = credentials.server_side_parameters or {}
    server = server_of(settings)
    checked = (server, get_invocation_id())
    if server is None or checked not in _prepared:
        check_server(settings, is_clone(credentials))
        _prepared.add(checked)


def prepare_home(home: Path, is_clone: bool = True) -> list[str]:
    """Check the machine, take the catalog of a home for this process, let it follow a move.

    Returns lines to tell. Raises EmbeddedSparkError.
    """
    named_by = HOME_VARIABLE if is_clone else HOME_IN_PROFILE
    check_path(home, named_by)
    other_java = check_java()
    make_home(home, named_by)
    hold_catalog(home, named_by)
    moved_from = follow_move(home)
    told = [other_java] if other_java else []
    if moved_from is not None:
        told.append(f"The warehouse has moved from {moved_from} to {home}: its catalog follows.")
    return told


def _check_command(credentials: Any, home: Path) -> None:
    """Fail in a clone where a command would look into a warehouse that is not there."""
    from dbt.flags import get_flags

    if not is_clone(credentials):
        return
    flags = get_flags()
    project = getattr(flags, "PROJECT_DIR", None)
    if project and not os.environ.get(HOME_VARIABLE) and Path(project).resolve() != Path.cwd():
        raise EmbeddedSparkError(
            f"The warehouse of the clone is in {Path(project).resolve()}; run the command there, "
            f"or set {HOME_VARIABLE} to the full path of a folder."
        )
    # a catalog in memory has no folder, and begins with each process
    is_on_disk = credentials.server_side_parameters.get(CATALOG_KIND, "hive") == "hive"
    only_reads = (
        getattr(flags, "WHICH", None) in READING_COMMANDS and _operation(flags) not in DIAGNOSES
    )
    if only_reads and is_on_disk and not (home / "metastore").exists():
        raise EmbeddedSparkError(
            f"Nothing has been built in {home} yet. Run `make demo`, or `dbt build` on a lake of "
            f"yours; if you have built elsewhere, set {HOME_VARIABLE} to that folder."
        )


def _operation(flags: Any) -> str:
    return str(getattr(flags, "MACRO", None) or "").rpartition(".")[2]


def _tell(message: str) -> None:
    from dbt.adapters.events.logging import AdapterLogger

    AdapterLogger("sync_logs").info(message)


def is_session(credentials: Any) -> bool:
    """Whether a connection is of dbt-spark's method `session`, embedded or over Spark Connect."""
    method = getattr(credentials, "method", "")
    return str(method) in ("session", "SparkConnectionMethod.SESSION")


def embedded_home(credentials: Any) -> Path | None:
    """Folder of the embedded catalog and warehouse; None if the connection has no such thing."""
    if not is_session(credentials):
        return None
    settings = credentials.server_side_parameters or {}
    if server_of(settings) is not None:
        return None
    # a `;` in the folder is found here, so that it can be refused
    named = re.fullmatch(
        r"jdbc:derby:;?(?:.*;)?databaseName=(.+)/metastore(?:;.*)?",
        str(settings.get(CATALOG_SETTING, "")),
        re.DOTALL,
    )
    return Path(named.group(1)).absolute() if named else None


def settings_at(home: Path, settings: dict[str, str]) -> dict[str, str]:
    """The settings with the folders of a home in full: a name with a colon is no scheme then."""
    changed = dict(settings)
    url = settings[CATALOG_SETTING]
    start = url.index("databaseName=") + len("databaseName=")
    end = url.rindex("/metastore")
    given = url[start:end]
    changed[CATALOG_SETTING] = f"{url[:start]}{home}{url[end:]}"
    if settings.get(WAREHOUSE_SETTING, "").startswith(f"{given}/"):
        changed[WAREHOUSE_SETTING] = f"{home}{settings[WAREHOUSE_SETTING][len(given) :]}"
    return changed


def start_session(settings: dict[str, str], log_file: Path) -> None:
    """Start the session as dbt-spark would, with the JVM's standard error in `log_file`."""
    try:
        with standard_error_in(log_file):
            # tells the project that nobody else builds in this catalog
            session_with({**_with_class_archive(settings), HOLDS_CATALOG: "true"})
    except Exception as error:
        said = str(error).splitlines() or [type(error).__name__]
        raise EmbeddedSparkError(
            f"Spark did not start: {said[0]} The whole story is in {log_file}."
        ) from None


def _with_class_archive(settings: dict[str, str]) -> dict[str, str]:
    options = class_archive.java_options()
    if not options:
        # an empty setting would hide that of spark-defaults.conf
        return settings
    return {**settings, JAVA_OPTIONS: f"{settings.get(JAVA_OPTIONS, '')} {options}".strip()}


def session_with(settings: dict[str, str]) -> Any:
    """The session as dbt-spark gets it for each statement."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.enableHiveSupport()
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


@contextmanager
def standard_error_in(log_file: Path) -> Iterator[None]:
    """Send this process's standard error, and for good that of its new children, to a file."""
    kept = os.dup(2)
    with log_file.open("ab") as log:
        os.dup2(log.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
