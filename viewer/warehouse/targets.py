"""The warehouse that a target of a dbt profile names."""

import os
from pathlib import Path
from typing import Any

from .connections import ThriftWarehouse, Warehouse, connect_warehouse

OWN_PROFILE = "sync_logs"
# of a project that uses the package: macros/state/schemas.sql
SUFFIX_ELSEWHERE = "_sync_logs"


class TargetError(Exception):
    """The target cannot be read by the viewer; the message says why and what to do."""


def warehouse_of_target(
    project: Path, target: str | None, profiles: Path | None, schema: str | None
) -> Warehouse:
    """The connection of a dbt project's target. Raises TargetError.

    The schema is that of the documented tables; None: as the package names it.
    """
    profile = _profile(project, target, profiles)
    found = profile.credentials
    suffix = "" if profile.profile_name == OWN_PROFILE else SUFFIX_ELSEWHERE
    marts = schema or f"{found.schema}{suffix}"
    method = str(getattr(found, "method", ""))
    if method == "thrift":
        return ThriftWarehouse(found.host, found.port, found.user or "viewer", marts)
    if method == "session":
        settings = found.server_side_parameters or {}
        url = settings.get("spark.remote") or os.environ.get("SPARK_REMOTE")
        if not url:
            raise TargetError(
                f"The target {profile.target_name!r} has a Spark of its own, and no other process "
                "can read its catalog. Use `make serve`, or name a target with SPARK_REMOTE set, "
                "or one with the method thrift."
            )
        return connect_warehouse(url, marts)
    raise TargetError(
        f"The target {profile.target_name!r} has the method {method!r}; the viewer reads through "
        "session (with SPARK_REMOTE) and thrift."
    )


def _profile(project: Path, target: str | None, profiles: Path | None) -> Any:
    from dbt.cli.flags import Flags
    from dbt.cli.main import cli
    from dbt.config.runtime import load_profile
    from dbt.flags import set_flags
    from dbt_common.context import set_invocation_context
    from dbt_common.exceptions import DbtBaseException

    arguments = ["debug", "--project-dir", str(project)]
    arguments += ["--profiles-dir", str(profiles)] if profiles else []
    try:
        set_invocation_context(dict(os.environ))
        context = cli.make_context("dbt", arguments)
        command = cli.commands["debug"].make_context("debug", arguments[1:], parent=context)
        set_flags(Flags(command))
        return load_profile(str(project), {}, None, target)
    except DbtBaseException as error:
        raise TargetError(str(error)) from None
