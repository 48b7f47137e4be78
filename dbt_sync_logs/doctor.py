"""`sync-logs doctor`: the operation of dbt that shows what a project has and lacks."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .command_line import COMMANDS, NAME, PROFILES_DIR
from .runner import profiles_folder

# the full name, which projects that use the package need
OPERATION = "sync_logs.sync_logs_doctor"


def main(arguments: Sequence[str]) -> NoReturn:
    """Run the operation, and end the process with dbt's exit code."""
    from dbt.cli.main import cli

    sys.exit(cli(["run-operation", OPERATION, *_options(arguments[1:])]))


def _options(arguments: Sequence[str]) -> list[str]:
    parser = argparse.ArgumentParser(
        prog=f"{NAME} doctor",
        # `--profile` is an option of dbt
        allow_abbrev=False,
        description=f"{COMMANDS['doctor'].about}: `dbt run-operation {OPERATION}`.",
        epilog="dbt gets all other options, such as --target and --vars.",
    )
    parser.add_argument("--project-dir", type=Path, default=Path.cwd())
    parser.add_argument("--profiles-dir", type=Path, help=PROFILES_DIR)
    given, others = parser.parse_known_args(arguments)
    profiles = profiles_folder(given.project_dir, given.profiles_dir)
    options = ["--project-dir", str(given.project_dir)]
    options += [] if profiles is None else ["--profiles-dir", str(profiles)]
    return [*options, *others]
