"""The command `sync-logs`: the loader, the viewer and the doctor.

Each command imports what it needs only when it runs: the loader works without the viewer's extra.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pkgutil import resolve_name

NAME = "sync-logs"
OUR_PACKAGES = ("dbt_sync_logs", "sync_logs_demo", "sync_logs_loader", "sync_logs_viewer")
BAD_INPUT = 2
# what `--profiles-dir` says
PROFILES_DIR = "default: DBT_PROFILES_DIR, else `profiles` of the project, else where dbt looks"


@dataclass(frozen=True)
class Command:
    """A command: what it does, in a few words, and the function that runs it."""

    about: str
    # a name such as `module:function`; it takes the name of the command and its options
    run: str
    # the extra of the distribution with what the command imports
    extra: str | None = None


def _loader(about: str) -> Command:
    return Command(about, "sync_logs_loader.cli:main")


def _viewer(about: str, extra: str = "viewer") -> Command:
    return Command(about, "sync_logs_viewer.commands:main_of_process", extra)


COMMANDS = {
    "load": _loader("load a result log, fact files or both into a lake"),
    "demo": _loader("write the demo lake, or its missing parts"),
    "serve": _viewer("show the viewer in a browser"),
    "report": _viewer("one HTML file with charts"),
    "syncs": _viewer("all syncs"),
    "runs": _viewer("runs of a sync, the last one first"),
    "periods": _viewer("what a sync did in two periods: by default, its last two weeks"),
    "records": _viewer("records of a run, filtered"),
    "record": _viewer("all rows with an identifier"),
    "members": _viewer("who is in an audience"),
    "errors": _viewer("failure patterns, those with the most open records first"),
    "failures": _viewer("records that fail now, the longest first"),
    "alerts": _viewer("alerts that are open, the critical ones first"),
    "gaps": _viewer("how models differ from what was delivered"),
    "fields": _viewer("fields of a sync's payloads: types, how often missing or null"),
    "builds": _viewer("what builds did"),
    "notify": _viewer("send changes of alerts: webhook, Slack, Teams, e-mail"),
    "mcp": _viewer("offer these questions as tools of an MCP server", "mcp"),
    "doctor": Command("settings, versions and what is missing", "dbt_sync_logs.doctor:main"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. Failures are one or two sentences each."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name = given[0] if given else ""
    if name not in COMMANDS:
        # prints the list, or says that there is no such command
        _parser().parse_args(given)
        return BAD_INPUT
    command = COMMANDS[name]
    try:
        return int(resolve_name(command.run)(given))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if command.extra is None or package in OUR_PACKAGES:
            raise
        print(
            f"{NAME}: {name} needs {package}, which is not installed. Install dbt-sync-logs with "
            f'its extra `{command.extra}`: pip install "<clone>[{command.extra}]".',
            file=sys.stderr,
        )
        return BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    """The parser of the list of commands; the commands have their own."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        description="Load reverse-ETL logs into a lake, and look at the tables that dbt builds.",
        epilog=f"`{NAME} <command> --help` lists the options of a command.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.about)
    return parser
