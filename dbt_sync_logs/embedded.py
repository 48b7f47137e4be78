"""Start of the embedded Spark: first the checks, then the session, with its output in a log."""

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
    check_jars,
    check_java,
    check_keys,
    check_path,
    check_schema,
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
# These only read what builds have written; without a check they would fail on the first table.
READING_COMMANDS = ("show", "test", "generate", "run-operation")
# These must run even when nothing works yet.
DIAGNOSES = ("sync_logs_doctor",)
# Homes and servers that this process has checked; it checks a server once per dbt command.
_prepared: set[object] = set()
# dbt opens connections in several threads in parallel
_preparing = Lock()


def name_profile(profile: Any) -> None:
    """Store the name of a profile in its credentials, because messages depend on it."""
    # the credentials of another adapter on top of dbt-spark may not allow new attributes
    with suppress(AttributeError):
        profile.credentials.sync_logs_profile_name = profile.profile_name


def is_clone(credentials: Any) -> bool:
    """Whether a connection has the profile of a clone, not of a project that uses the package."""
    return getattr(credentials, "sync_logs_profile_name", CLONE_PROFILE) == CLONE_PROFILE


def prepare_once(credentials: Any) -> None:
    """Check and start the embedded Spark of a connection, or check its Spark Connect server.

    For any other connection, only the lock file is checked, if its profile names one, and the
    schema in a clone. Raises DbtRuntimeError with one or two sentences that say what to do.
    """
    if is_session(credentials):
        silence_handled_errors()
    with _preparing:
        try:
            if is_session(credentials):
                _prepare_server(credentials)
            home = embedded_home(credentials)
            if home is not None or is_clone(credentials):
                check_schema(credentials.schema, is_clone(credentials))
            _hold_schema(credentials)
            if home is not None and home not in _prepared:
                _check_command(credentials, home)
                check_jars(credentials.server_side_parameters, is_clone(credentials))
                check_keys(credentials.server_side_parameters)
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
    """Check the machine, lock the catalog of a home for this process, and update it after a move.

    Returns lines to print. Raises EmbeddedSparkError.
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
    """Fail in a clone if a command would read a warehouse that does not exist."""
    from dbt.flags import get_flags

    if not is_clone(credentials):
        return
    flags = get_flags()
    project = getattr(flags, "PROJECT_DIR", None)
    if project and not os.environ.get(HOME_VARIABLE) and Path(project).resolve() != Path.cwd():
        raise EmbeddedSparkError(
            f"The warehouse of the clone is in {Path(project).resolve()}. Run the command there, "
            f"or set {HOME_VARIABLE} to the full path of a folder."
        )
    # a catalog in memory has no folder and is new in each process
    is_on_disk = credentials.server_side_parameters.get(CATALOG_KIND, "hive") == "hive"
    only_reads = (
        getattr(flags, "WHICH", None) in READING_COMMANDS and _operation(flags) not in DIAGNOSES
    )
    if only_reads and is_on_disk and not (home / "metastore").exists():
        raise EmbeddedSparkError(
            f"Nothing has been built in {home} yet. Run `make demo`, or `dbt build` on your own "
            f"lake; if you have built elsewhere, set {HOME_VARIABLE} to that folder."
        )


def _operation(flags: Any) -> str:
    return str(getattr(flags, "MACRO", None) or "").rpartition(".")[2]


def _tell(message: str) -> None:
    from dbt.adapters.events.logging import AdapterLogger

    AdapterLogger("sync_logs").info(message)


def is_session(credentials: Any) -> bool:
    """Whether a connection uses dbt-spark's method `session`, embedded or over Spark Connect."""
    method = getattr(credentials, "method", "")
    return str(method) in ("session", "SparkConnectionMethod.SESSION")


def embedded_home(credentials: Any) -> Path | None:
    """Folder of the embedded catalog and warehouse; None if the connection has none."""
    if not is_session(credentials):
        return None
    settings = credentials.server_side_parameters or {}
    if server_of(settings) is not None:
        return None
    # the pattern also matches a `;` in the folder, so that a check can refuse it
    named = re.fullmatch(
        r"jdbc:derby:;?(?:.*;)?databaseName=(.+)/metastore(?:;.*)?",
        str(settings.get(CATALOG_SETTING, "")),
        re.DOTALL,
    )
    return Path(named.group(1)).absolute() if named else None


def settings_at(home: Path, settings: dict[str, str]) -> dict[str, str]:
    """The settings with absolute folders, so that a name with a colon is not read as a scheme."""
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
            # tells the project that no other process builds in this catalog
            session_with({**_with_class_archive(settings), HOLDS_CATALOG: "true"})
    except Exception as error:
        said = str(error).splitlines() or [type(error).__name__]
        raise EmbeddedSparkError(
            f"Spark did not start: {said[0]} The full log is in {log_file}."
        ) from None


def _with_class_archive(settings: dict[str, str]) -> dict[str, str]:
    options = class_archive.java_options()
    if not options:
        # an empty setting would override the one in spark-defaults.conf
        return settings
    return {**settings, JAVA_OPTIONS: f"{settings.get(JAVA_OPTIONS, '')} {options}".strip()}


def session_with(settings: dict[str, str]) -> Any:
    """The session, opened as dbt-spark opens it for each statement."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.enableHiveSupport()
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


@contextmanager
def standard_error_in(log_file: Path) -> Iterator[None]:
    """Send this process's standard error to a file; new children keep it there for good."""
    kept = os.dup(2)
    with log_file.open("ab") as log:
        os.dup2(log.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
