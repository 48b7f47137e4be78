"""The warehouse that a target of a dbt profile names."""

from pathlib import Path
from typing import Any

from dbt_sync_logs.embedded import embedded_home, is_session, name_profile, prepare_once
from dbt_sync_logs.remote import server_of
from dbt_sync_logs.runner import profile as profile_of

from .connections import SessionWarehouse, ThriftWarehouse, Warehouse, connect_warehouse
from .notes import running_at

OWN_PROFILE = "sync_logs"
# a read-only dbt command: before the first build it fails with a message
READS = "show"
# for a project that uses the package: see macros/session/schemas.sql
SUFFIX_ELSEWHERE = "_sync_logs"


class TargetError(Exception):
    """The viewer cannot read the target; the message says why and what to do."""


def warehouse_of_target(
    project: Path,
    target: str | None,
    profiles: Path | None,
    schema: str | None,
    may_start: bool,
) -> Warehouse:
    """The connection of a dbt project's target. Raises TargetError.

    `schema` is that of the documented tables; None: the one that the package uses. An embedded
    target is read through a running `make serve`. Without one, this process starts the target's
    Spark if `may_start`.
    """
    from click import ClickException
    from dbt_common.exceptions import DbtBaseException

    try:
        profile = profile_of(project, profiles, target, READS)
    except DbtBaseException as error:
        raise TargetError(str(error)) from None
    except ClickException as error:
        # no folder ~/.dbt, for instance
        raise TargetError(error.format_message()) from None
    found = profile.credentials
    suffix = "" if profile.profile_name == OWN_PROFILE else SUFFIX_ELSEWHERE
    marts = schema or f"{found.schema}{suffix}"
    method = str(getattr(found, "method", ""))
    if method == "thrift":
        return ThriftWarehouse(found.host, found.port, found.user or "viewer", marts)
    if not is_session(found):
        raise TargetError(
            f"The target {profile.target_name!r} has the method {method!r}; the viewer needs "
            "the method session or thrift."
        )
    url = server_of(found.server_side_parameters or {})
    home = embedded_home(found)
    if url is None and home is not None:
        running = running_at(home)
        url = None if running is None else running.remote
    if url is not None:
        return connect_warehouse(url, marts)
    if may_start and home is not None:
        return _embedded(profile, marts)
    raise TargetError(
        f"The target {profile.target_name!r} has its own Spark, and while one process has its "
        "catalog, no other can build. Use `make serve`, or name a target with SPARK_REMOTE set or "
        "with the method thrift."
    )


def _embedded(profile: Any, schema: str) -> Warehouse:
    name_profile(profile)

    def open_session() -> Any:
        from pyspark.sql import SparkSession

        prepare_once(profile.credentials)
        return SparkSession.builder.getOrCreate().newSession()

    return SessionWarehouse(open_session, schema, "the embedded Spark")
