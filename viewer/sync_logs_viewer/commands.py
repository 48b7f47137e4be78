"""The commands of `sync-logs` that show the documented tables."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from dbt_sync_logs.command_line import BAD_INPUT, COMMANDS, NAME
from dbt_sync_logs.text_table import text_table
from sync_logs_viewer.asking import Asking, GivenError, warehouse_of
from sync_logs_viewer.exports import WRITERS
from sync_logs_viewer.masks import VARIABLE, MaskError, mask_of
from sync_logs_viewer.questions import Record, RecordFilters, catalog
from sync_logs_viewer.questions.filters import STATUSES, word_of
from sync_logs_viewer.settings import MOST_ROWS, SettingError, download_rows, port
from sync_logs_viewer.warehouse import Rows, TargetError, WarehouseError
from sync_logs_viewer.web.formats import UNSEEN
from sync_logs_viewer.web.parameters import micros

FORMATS = ("table", *WRITERS)
DEFAULT_ROWS = 100
# the columns of each result that fit a terminal; files have all
COLUMNS_OF_TABLES = {
    "syncs": (
        *("organization_id", "sync_id", "model_name", "destination", "health", "last_run_status"),
        *("run_count", "open_record_count", "member_count", "data_until_at"),
    ),
    "runs": (
        *("sync_run_id", "status", "started_at", "run_seconds", "record_count"),
        *("num_succeeded_add", "num_succeeded_change", "num_succeeded_remove"),
        *("num_failed_add", "num_failed_change", "num_failed_remove"),
    ),
    "records": ("identifier", "display_status", "failure_reason", "operation", "batch_ended_at"),
    "record": (
        *("sync_id", "sync_run_id", "display_status", "failure_reason", "operation"),
        "batch_ended_at",
    ),
    "members": ("row_id", "entered_at", "entered_sync_run_id", "entry_observed"),
    "errors": (
        *("organization_id", "sync_id", "failure_pattern", "category", "open_record_count"),
        *("record_count", "failure_reason_count", "is_new", "last_seen_at"),
    ),
    "reasons": (
        *("organization_id", "sync_id", "failure_reason", "open_record_count", "record_count"),
        *("failing_since_at", "last_seen_at"),
    ),
    "failures": (
        *("organization_id", "sync_id", "row_id", "started_at", "failed_run_count"),
        *("runs_without_attempt", "failure_reason"),
    ),
    "alerts": (
        *("organization_id", "sync_id", "rule", "severity", "is_open", "is_muted", "opened_at"),
        "message",
    ),
    "builds": (
        *("started_at", "duration_seconds", "operation", "new_file_count"),
        *("landed_record_count", "replayed_run_count", "skipped_reason"),
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. Failures are one line each."""
    from dbt_common.exceptions import DbtBaseException

    given = _parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except (TargetError, WarehouseError, MaskError, SettingError, GivenError) as error:
        print(f"viewer: {_readable(str(error))}", file=sys.stderr)
    except DbtBaseException as error:
        print(f"viewer: {getattr(error, 'msg', error)}", file=sys.stderr)
    except BrokenPipeError:
        # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def main_of_process(arguments: Sequence[str]) -> NoReturn:
    """Run a command, and end the process with its exit code."""
    from sync_logs_viewer.serving import end_process

    end_process(main(arguments))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=NAME, description="Show the documented tables.")
    commands = parser.add_subparsers(required=True, metavar="command")
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
    _question(commands, "syncs", _syncs)
    runs = _question(commands, "runs", _runs)
    records = _question(commands, "records", _records)
    record = _question(commands, "record", _record)
    members = _question(commands, "members", _members)
    for command in (runs, records, members):
        command.add_argument("--sync-id", required=True)
        command.add_argument("--organization-id", help="needed if several have a sync of this id")
    record.add_argument("--organization-id", required=True)
    record.add_argument("--identifier", required=True)
    members.add_argument("--at", help="such as 2026-01-31T06:00:00Z; default: now")
    records.add_argument("--sync-run-id", help="default: the last run")
    records.add_argument("--status", type=_status, help=", ".join(STATUSES))
    for name in ("operation", "failure-reason", "identifier", "identifier-prefix"):
        records.add_argument(f"--{name}")
    errors = _question(commands, "errors", _errors)
    errors.add_argument("--organization-id")
    errors.add_argument("--sync-id")
    errors.add_argument("--category")
    errors.add_argument("--failure-pattern", help='show its reasons; "": those without a message')
    failures = _question(commands, "failures", _failures)
    failures.add_argument("--organization-id")
    failures.add_argument("--sync-id")
    alerts = _question(commands, "alerts", _alerts)
    alerts.add_argument("--organization-id")
    alerts.add_argument("--sync-id")
    others = alerts.add_mutually_exclusive_group()
    others.add_argument("--all", action="store_true", help="also those that are resolved")
    others.add_argument("--since", help="also those resolved since, such as 2026-01-31T06:00:00Z")
    _question(commands, "builds", _builds)
    notify = _command(commands, "notify", _notify)
    notify.add_argument("--dry-run", action="store_true", help="print it, and send nothing")
    return parser


def _command(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, description=COMMANDS[name].about)
    command.add_argument("--target", help="target of the dbt profile; default: that of the profile")
    command.add_argument("--project-dir", type=Path, default=Path.cwd())
    command.add_argument("--profiles-dir", type=Path, help="default: where dbt looks for it")
    command.add_argument(
        "--schema", help="schema of the documented tables; default: the one that dbt builds"
    )
    command.set_defaults(run=run)
    return command


def _question(
    commands: Any, name: str, ask: Callable[[Asking, argparse.Namespace], Rows]
) -> argparse.ArgumentParser:
    def run(given: argparse.Namespace) -> int:
        asking = Asking(given)
        rows = ask(asking, given)[: given.rows]
        if given.format == "table":
            table = _table(COLUMNS_OF_TABLES[given.table], rows) if rows else "No rows."
            pieces: Iterable[bytes] = [f"{table}\n".encode()]
        else:
            pieces = WRITERS[given.format](asking.names, rows)
        with _opened(given.out) as out:
            for piece in pieces:
                out.write(piece)
        return 0

    command = _command(commands, name, run)
    command.set_defaults(table=name)
    command.add_argument("--format", choices=FORMATS, default="table")
    command.add_argument("--rows", type=_count, default=DEFAULT_ROWS, help="at most; default: 100")
    command.add_argument("--out", type=Path, help="file to write; default: the terminal")
    return command


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


def _count(given: str) -> int:
    if not given.isascii() or not given.isdigit() or not int(given):
        raise argparse.ArgumentTypeError(f"{given!r}; expected a whole number from 1")
    return int(given)


def _status(given: str) -> str:
    word = word_of(given, STATUSES)
    if word is None:
        raise argparse.ArgumentTypeError(f"{given!r}; expected one of: {', '.join(STATUSES)}")
    return word


def _syncs(ask: Asking, given: argparse.Namespace) -> Rows:
    health = {
        (one["organization_id"], one["sync_id"]): one["health"]
        for one in ask.rows(catalog.health(None))
    }
    rows = ask.rows(catalog.syncs())
    ask.names.append("health")
    return [{**one, "health": health.get((one["organization_id"], one["sync_id"]))} for one in rows]


def _runs(ask: Asking, given: argparse.Namespace) -> Rows:
    return ask.rows(catalog.runs(ask.sync(given), None, given.rows))


def _records(ask: Asking, given: argparse.Namespace) -> Rows:
    if given.identifier is not None or given.identifier_prefix is not None:
        ask.check_not_hidden()
        if given.identifier_prefix is not None and ask.mask.is_hashed:
            raise GivenError(f"Identifiers are hashed ({VARIABLE}): search for a whole one.")
    filters = RecordFilters(
        status=given.status,
        operation=given.operation,
        failure_reason=given.failure_reason,
        identifier=ask.mask.asked(given.identifier),
        identifier_prefix=given.identifier_prefix,
    )
    run = ask.run(given)
    return ask.rows(catalog.records(run, filters, None, given.rows, ask.mask.is_hashed, None))


def _record(ask: Asking, given: argparse.Namespace) -> Rows:
    ask.check_not_hidden()
    identifier = ask.mask.asked(given.identifier) or ""
    record = Record(given.organization_id, identifier, ask.mask.is_hashed)
    return ask.rows(catalog.history_of_record(record, given.rows, None))


def _members(ask: Asking, given: argparse.Namespace) -> Rows:
    at = _moment("--at", given.at)
    return ask.rows(catalog.members(ask.sync(given), at, None, given.rows, ask.mask.is_hashed))


def _errors(ask: Asking, given: argparse.Namespace) -> Rows:
    about = (given.organization_id, given.category)
    if given.failure_pattern is None:
        return ask.rows(catalog.error_patterns(*about, None, given.rows, given.sync_id))
    given.table = "reasons"
    return ask.rows(catalog.errors(*about, given.rows, given.failure_pattern, given.sync_id))


def _failures(ask: Asking, given: argparse.Namespace) -> Rows:
    return ask.rows(catalog.failures(given.organization_id, given.sync_id, given.rows))


def _alerts(ask: Asking, given: argparse.Namespace) -> Rows:
    since = _moment("--since", given.since)
    is_open_only = not given.all and since is None
    about = (given.organization_id, given.sync_id, is_open_only, since, given.rows)
    return ask.rows(catalog.alerts(*about))


def _moment(option: str, given: str | None) -> int | None:
    """A time in microseconds. Raises GivenError."""
    try:
        return None if given is None else micros(given)
    except (ValueError, OverflowError):
        raise GivenError(
            f"{option} is {given!r}; expected a time such as 2026-01-31T06:00:00Z."
        ) from None


def _builds(ask: Asking, given: argparse.Namespace) -> Rows:
    return ask.rows(catalog.builds(given.rows))


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
            alerts = _all_alerts(Asking(given))
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


def _all_alerts(ask: Asking) -> Rows:
    """All alerts. Raises GivenError if there are more than a question can have."""
    found = ask.rows(catalog.alerts(None, None, False, None, MOST_ROWS))
    if len(found) == MOST_ROWS:
        # one that is left out would be taken for withdrawn
        raise GivenError(f"There are at least {MOST_ROWS:,} alerts; expected fewer.")
    return found


def _report(given: argparse.Namespace) -> int:
    from sync_logs_viewer.report import report

    text = report(Asking(given).rows)
    with _opened(given.out) as out:
        out.write(text.encode("utf-8"))
    print(f"The report is in {given.out.absolute()} ({len(text.encode()) // 1024:,} kB).")
    return 0


def _serve(given: argparse.Namespace) -> int:
    from sync_logs_viewer.answers import Answers
    from sync_logs_viewer.serving import is_loopback, port_of, run, server
    from sync_logs_viewer.web.app import LOOPBACK, application

    answers = Answers(warehouse_of(given, may_start=False), mask_of(os.environ.get(VARIABLE)))
    hosts = (*LOOPBACK, *given.allow_host)
    if not is_loopback(given.host):
        print(
            f"viewer: other machines can reach {given.host}, and there is no log-in: anybody who "
            "can reach it sees all records. Put a proxy with a log-in in front of it.",
            file=sys.stderr,
        )
        hosts = (*hosts, given.host)
    number = port() if given.port is None else given.port
    download_rows()
    pages = server(
        application(answers, hosts, is_kept_warm=True), given.host, number, given.access_log
    )

    def say_where() -> None:
        print(f"viewer: http://{given.host}:{number or port_of(pages)}/", flush=True)

    run(pages, say_where)
    return 0
