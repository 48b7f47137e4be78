"""The commands of `sync-logs` that show the documented tables."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from dbt_sync_logs.command_line import BAD_INPUT, COMMANDS, NAME, PROFILES_DIR
from dbt_sync_logs.text_table import text_table
from sync_logs_viewer import charts
from sync_logs_viewer.arguments import FLAG, GivenError, rows_up_to, values_of
from sync_logs_viewer.asking import Terminal, option, warehouse_of
from sync_logs_viewer.exports import WRITERS
from sync_logs_viewer.masks import VARIABLE, MaskError, mask_of
from sync_logs_viewer.named import QUESTIONS, Question
from sync_logs_viewer.questions import catalog
from sync_logs_viewer.settings import HIGHEST_PORT, MOST_ROWS, SettingError, download_rows, port
from sync_logs_viewer.warehouse import Rows, TargetError, WarehouseError
from sync_logs_viewer.web.formats import UNSEEN

FORMATS = ("table", *WRITERS)
ROWS = rows_up_to(MOST_ROWS)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. Failures are one line each."""
    from dbt_common.exceptions import DbtBaseException

    given = parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except (TargetError, WarehouseError, MaskError, SettingError, GivenError) as error:
        print(f"sync-logs: {_readable(str(error))}", file=sys.stderr)
    except DbtBaseException as error:
        print(f"sync-logs: {getattr(error, 'msg', error)}", file=sys.stderr)
    except BrokenPipeError:
        # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def main_of_process(arguments: Sequence[str]) -> NoReturn:
    """Run a command, and end the process with its exit code."""
    from sync_logs_viewer.serving import end_process

    end_process(main(arguments))


def parser() -> argparse.ArgumentParser:
    """The parser of all commands of the viewer."""
    whole = argparse.ArgumentParser(prog=NAME, description="Show the documented tables.")
    commands = whole.add_subparsers(required=True, metavar="command")
    serve = _command(commands, "serve", _serve)
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; default: this machine only"
    )
    serve.add_argument("--port", type=int, help="default: SYNC_LOGS_VIEWER_PORT, else 8080")
    serve.add_argument(
        "--allow-host",
        action="append",
        default=[],
        help="host name that a proxy uses for the pages",
    )
    serve.add_argument("--access-log", action="store_true", help="log a line for each request")
    report = _command(commands, "report", _report)
    report.add_argument("--out", type=Path, default=Path("sync_logs_report.html"))
    for question in QUESTIONS:
        _question(commands, question)
    notify = _command(commands, "notify", _notify)
    notify.add_argument("--dry-run", action="store_true", help="print it, and send nothing")
    tools = _command(commands, "mcp", _mcp)
    tools.add_argument(
        "--http",
        type=_port,
        metavar="PORT",
        help="listen on a port of this machine, 0: a free one; default: stdin and stdout",
    )
    return whole


def _command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, description=COMMANDS[name].about)
    command.add_argument("--target", help="target of the dbt profile; default: that of the profile")
    command.add_argument("--project-dir", type=Path, default=Path.cwd())
    command.add_argument("--profiles-dir", type=Path, help=PROFILES_DIR)
    command.add_argument(
        "--schema", help="schema of the documented tables; default: the one that dbt builds"
    )
    command.set_defaults(run=run)
    return command


def _question(commands: Any, question: Question) -> None:
    parameters = (*question.parameters, ROWS)

    def run(given: argparse.Namespace) -> int:
        stated = {one.name: getattr(given, one.name) for one in parameters}
        values = values_of(parameters, stated, option)
        # not `asyncio.run`: there, the first Ctrl-C would wait for a query that runs
        with closing(asyncio.new_event_loop()) as loop:
            found = loop.run_until_complete(question.ask(Terminal(given), values))
        rows = found.rows[: values[ROWS.name]]
        if given.format == "table":
            columns = found.columns or question.columns
            table = _table(columns, rows) if rows else question.without_rows
            pieces: Iterable[bytes] = [f"{table}\n".encode()]
        else:
            pieces = WRITERS[given.format](found.names, rows)
        with _opened(given.out) as out:
            for piece in pieces:
                out.write(piece)
        return 0

    command = _command(commands, question.command, run)
    command.epilog = question.details
    for one in question.parameters:
        if one.kind is FLAG:
            command.add_argument(option(one.name), action="store_const", const=True, help=one.about)
        else:
            command.add_argument(option(one.name), required=one.is_required, help=one.about)
    command.add_argument("--format", choices=FORMATS, default="table")
    command.add_argument(option(ROWS.name), type=_number, metavar="ROWS", help=ROWS.about)
    command.add_argument("--out", type=Path, help="file to write; default: the terminal")


@contextmanager
def _opened(file: Path | None) -> Iterator[BinaryIO]:
    """A file, or the terminal. Raises GivenError if it cannot be written."""
    if file is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        with file.open("wb") as opened:
            yield opened
    except OSError as error:
        raise GivenError(f"{file} cannot be written: {error.strerror}.") from None


def _table(names: Sequence[str], rows: Rows) -> str:
    return text_table(names, [[_readable(row[name]) for name in names] for row in rows])


def _readable(value: object) -> object:
    """Invisible characters as codes, because a terminal would obey them."""
    if not isinstance(value, str):
        return value
    return UNSEEN.sub(lambda found: f"<U+{ord(found.group()):04X}>", value)


def _number(given: str) -> int | str:
    """A whole number; anything else stays a text, which the question refuses."""
    return int(given) if given.isascii() and given.isdigit() else given


def _port(given: str) -> int:
    number = _number(given)
    if not isinstance(number, int) or number > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"{given!r}; expected a port, up to {HIGHEST_PORT}")
    return number


def _notify(given: argparse.Namespace) -> int:
    from sync_logs_viewer.notifying import (
        Memory,
        MemoryInUseError,
        Notifier,
        UnusableMemoryError,
        settings_of,
    )

    def complain(words: str) -> None:
        print(f"notify: {_readable(words)}", file=sys.stderr, flush=True)

    try:
        settings = settings_of(os.environ, given.project_dir)
        mask_of(os.environ.get(VARIABLE))
        # opened before Spark starts, because another notifier may be at work
        with Memory(settings.memory, is_read_only=given.dry_run) as memory:
            alerts = _all_alerts(Terminal(given))
            notifier = Notifier(
                settings.channels,
                memory,
                settings.viewer_url,
                say=lambda words: print(_readable(words), flush=True),
                complain=complain,
            )
            if given.dry_run:
                notifier.preview(alerts)
                return 0
            return 0 if notifier.run(alerts) else 1
    except MemoryInUseError as error:
        complain(str(error))
        return 1
    except (SettingError, MaskError, UnusableMemoryError) as error:
        complain(str(error))
        return BAD_INPUT


def _all_alerts(ask: Terminal) -> Rows:
    """All alerts. Raises GivenError if there are more than a question can have."""
    found = ask.rows(catalog.alerts(None, None, False, None, MOST_ROWS))
    if len(found) == MOST_ROWS:
        # one that is left out would be taken for withdrawn
        raise GivenError(f"There are at least {MOST_ROWS:,} alerts; expected fewer.")
    return found


def _report(given: argparse.Namespace) -> int:
    from sync_logs_viewer.report import report

    _say_what_charts_lack()
    text = report(Terminal(given).rows)
    with _opened(given.out) as out:
        out.write(text.encode("utf-8"))
    print(f"The report is in {given.out.absolute()} ({len(text.encode()) // 1024:,} kB).")
    return 0


def _say_what_charts_lack() -> None:
    lacks = charts.lacking()
    if lacks is not None:
        print(
            f"sync-logs: no charts: {lacks} is not installed. Install dbt-sync-logs with its extra "
            '`charts`: pip install "<clone>[charts]".',
            file=sys.stderr,
        )


def _serve(given: argparse.Namespace) -> int:
    from sync_logs_viewer.answers import Answers
    from sync_logs_viewer.serving import is_loopback, port_of, run, server
    from sync_logs_viewer.web.app import LOOPBACK, application

    answers = Answers(warehouse_of(given, may_start=False), mask_of(os.environ.get(VARIABLE)))
    hosts = (*LOOPBACK, *given.allow_host)
    if not is_loopback(given.host):
        print(
            f"sync-logs: other machines can reach {given.host}, and there is no log-in: anybody "
            "who can reach it sees all records. Put a proxy with a log-in in front of it.",
            file=sys.stderr,
        )
        hosts = (*hosts, given.host)
    _say_what_charts_lack()
    number = port() if given.port is None else given.port
    download_rows()
    pages = server(
        application(answers, hosts, is_kept_warm=True), given.host, number, given.access_log
    )

    def say_where() -> None:
        print(f"sync-logs: http://{given.host}:{number or port_of(pages)}/", flush=True)

    run(pages, say_where)
    return 0


def _mcp(given: argparse.Namespace) -> int:
    from sync_logs_viewer.answers import Answers
    from sync_logs_viewer.mcp_server import (
        LaterWarehouse,
        serve_over_http,
        serve_over_stdio,
        server_of,
    )

    # no build could run while this process had a Spark of its own
    warehouse = LaterWarehouse(lambda: warehouse_of(given, may_start=False))
    tools = server_of(Answers(warehouse, mask_of(os.environ.get(VARIABLE))))
    download_rows()
    if given.http is None:
        serve_over_stdio(tools)
    else:
        serve_over_http(tools, given.http, lambda words: print(f"mcp: {words}", file=sys.stderr))
    return 0
