"""The dbt of a project and its Spark, in this process."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# the clone, in which `make setup` installs this package without copying it
PROJECT = Path(__file__).resolve().parents[1]


def credentials() -> Any:
    """The connection of the target of this clone's profile, as dbt reads it."""
    return profile(PROJECT).credentials


def profile(
    project: Path,
    profiles: Path | None = None,
    target: str | None = None,
    command: str = "debug",
) -> Any:
    """The profile of a project, with a target, as a dbt command reads it; None: default target.

    Raises DbtBaseException.
    """
    from dbt.cli.flags import Flags
    from dbt.cli.main import cli
    from dbt.config.runtime import load_profile
    from dbt.flags import set_flags
    from dbt_common.context import set_invocation_context

    set_invocation_context(dict(os.environ))
    arguments = [command, "--project-dir", str(project)]
    arguments += ["--profiles-dir", str(profiles)] if profiles else []
    context = cli.make_context("dbt", arguments)
    parsed = cli.commands[command].make_context(command, arguments[1:], parent=context)
    set_flags(Flags(parsed))
    return load_profile(str(project), {}, None, target)


def profiles_folder(project: Path, given: Path | None) -> Path | None:
    """The folder with the profiles of a project; None: where dbt looks for it."""
    own = project / "profiles"
    if given is None and "DBT_PROFILES_DIR" not in os.environ and own.is_dir():
        return own
    return given


def session() -> Any:
    """The Spark that dbt will use, started with the settings of the profile."""
    from pyspark.sql import SparkSession

    from .embedded import prepare_once

    prepare_once(credentials())
    return SparkSession.builder.getOrCreate()


def schema() -> str:
    """The schema of the documented tables, as the profile reads it."""
    return os.environ.get("SYNC_LOGS_SCHEMA") or "sync_logs"


def dbt(
    command: str,
    *arguments: str,
    callbacks: list[Any] | None = None,
    variables: Mapping[str, object] | None = None,
) -> Any:
    """Run a dbt command on the project, without output on the terminal."""
    from dbt.cli.main import dbtRunner

    given = ["--vars", json.dumps(variables)] if variables else []
    return dbtRunner(callbacks=callbacks or []).invoke(
        [command, *arguments, *given, "--log-level", "none", "--project-dir", str(PROJECT)]
    )


def compiled_queries(outcome: Any) -> dict[str, str]:
    """The SQL of each node of a `dbt compile`, by name."""
    return {one.node.name: one.node.compiled_code for one in outcome.result.results}


def first_failure(outcome: Any) -> str:
    """The first failure of a dbt command, in one line."""
    if outcome.exception is not None:
        return " ".join(str(outcome.exception).split()) or type(outcome.exception).__name__
    bad = [one for one in outcome.result.results if str(one.status) in ("error", "fail")]
    return (
        f"{bad[0].node.name}: {str(bad[0].message).splitlines()[0]}" if bad else "no reason given."
    )
