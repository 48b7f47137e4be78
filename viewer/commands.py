"""The commands of `python -m viewer`."""

import argparse
import os
import sys
from pathlib import Path

from viewer.masks import VARIABLE, MaskError, mask_of
from viewer.settings import SettingError, port
from viewer.warehouse import TargetError, Warehouse, WarehouseError, warehouse_of_target


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit code. Failures are one line each."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except (TargetError, WarehouseError, MaskError, SettingError) as error:
        print(f"viewer: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m viewer", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    serve = commands.add_parser("serve", help="the pages, on this machine")
    _add_connection(serve)
    serve.add_argument("--host", default="127.0.0.1", help="others can see the pages if told")
    serve.add_argument("--port", type=int, help="default: SYNC_LOGS_VIEWER_PORT, else 8080")
    serve.add_argument(
        "--allow-host", action="append", default=[], help="a name by which a proxy calls the pages"
    )
    serve.set_defaults(run=_serve)
    return parser


def _add_connection(command: argparse.ArgumentParser) -> None:
    command.add_argument("--target", help="of the dbt profile; default: its own default")
    command.add_argument("--project-dir", type=Path, default=Path.cwd())
    command.add_argument("--profiles-dir", type=Path, help="default: as dbt looks for it")
    command.add_argument("--schema", help="of the documented tables; default: as dbt names it")


def _warehouse(given: argparse.Namespace) -> Warehouse:
    profiles = given.profiles_dir
    own = given.project_dir / "profiles"
    if profiles is None and "DBT_PROFILES_DIR" not in os.environ and own.is_dir():
        profiles = own
    return warehouse_of_target(given.project_dir, given.target, profiles, given.schema)


def _serve(given: argparse.Namespace) -> int:
    from viewer.answers import Answers
    from viewer.serving import is_loopback, server
    from viewer.web.app import LOOPBACK, application

    answers = Answers(_warehouse(given), mask_of(os.environ.get(VARIABLE)))
    hosts = (*LOOPBACK, *given.allow_host)
    if not is_loopback(given.host):
        print(
            f"viewer: {given.host} can be reached from other machines, and there is no log-in: "
            "whoever reaches it sees all records. Put a proxy with a log-in before it.",
            file=sys.stderr,
        )
        hosts = (*hosts, given.host)
    number = port() if given.port is None else given.port
    print(f"viewer: http://{given.host}:{number}/", flush=True)
    server(application(answers, hosts), given.host, number).run()
    return 0
