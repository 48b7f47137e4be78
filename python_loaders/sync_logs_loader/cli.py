"""The commands `sync-logs load …` and `sync-logs demo …`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from dbt_sync_logs.command_line import COMMANDS, NAME
from sync_logs_loader.columns import ColumnUse
from sync_logs_loader.config import DEFAULT_BATCH_SIZE, LoadConfig, RunKey, check_metadata
from sync_logs_loader.errors import ConfigError, SyncLogsLoaderError
from sync_logs_loader.facts import check_fact_kind, load_facts, unused_columns
from sync_logs_loader.loader import RunSummary, load_log
from sync_logs_loader.schemas import FACT_COLUMNS, METADATA_IDS, Generation
from sync_logs_loader.session import quiet_session
from sync_logs_loader.sources import FORMATS, guess_format, read_source

EXIT_OK = 0
EXIT_BAD_INPUT = 2
MOST_NAMES = 50
"""Maximum number of columns listed after a load; a flat log can have thousands of keys."""

# The demo's few thousand rows are done before the JVM's second compiler could pay off.
_SHORT_JOBS = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "4",
}


_COLUMNS = """columns of the log (other names: --column CANONICAL=NAME):
  identifier        needed; also record_identifier, row_id
  operation         needed, or --value operation=upsert
  status            needed, or --value status=succeeded
  record_payload    a JSON text or an object; also fields, next to row_id. A log without it is
                    flat: its other columns are the payload
  status_message    also failure_reason, failed_reason, error_reason; or --value
  batch_started_at  ISO 8601 text or timestamp; or --value
  batch_ended_at    ISO 8601 text or timestamp; or --value; also batch_completed_at. Without it,
                    the last run of a sync and runs with mirror rows settle only if their metadata
                    reports a finish or a final status
  organization_id, sync_configuration_id (or sync_id), sync_run_id
                    needed, each as a column or as an option

The lake's own name takes precedence, then the others in the given order. At the end, a load lists
what it did with columns of other names.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns 0, or 2 after one line on stderr that says what to fix."""
    arguments = _parser().parse_args(argv)
    try:
        settings = dict(_pair(text, "--conf") for text in arguments.conf)
        if arguments.command == "demo":
            with quiet_session(arguments.master, {**_SHORT_JOBS, **settings}) as spark:
                return _demo(spark, arguments)
        config = _load_config(arguments)
        facts = [_pair(text, "--fact") for text in arguments.fact]
        for kind, _ in facts:
            check_fact_kind(kind)
        if arguments.input is None and not facts:
            raise ConfigError("Expected --input, --fact or both, but got neither.")
        with quiet_session(arguments.master, settings) as spark:
            return _load(spark, arguments, config, facts)
    except SyncLogsLoaderError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT


def _load(
    spark: SparkSession,
    arguments: argparse.Namespace,
    config: LoadConfig,
    facts: list[tuple[str, str]],
) -> int:
    if arguments.input is not None:
        source_format = arguments.format or guess_format(arguments.input)
        log = read_source(spark, arguments.input, source_format)
        _print_columns(load_log(spark, log, config, _print_run).columns)
    for kind, source in facts:
        rows = read_source(spark, source, guess_format(source))
        counts = load_facts(spark, rows, config.lake, kind, config.organization_id)
        for organization, count in counts.items():
            print(f"facts {kind} of {organization}: {count} rows", file=sys.stderr)
        _print_list(f"facts {kind}: columns that were not used", unused_columns(rows, kind))
    return EXIT_OK


def _demo(spark: SparkSession, arguments: argparse.Namespace) -> int:
    from sync_logs_demo.lake import write_demo_lake

    summary = write_demo_lake(spark, arguments.lake, arguments.more)
    print(
        f"demo lake {summary.lake}: wrote {summary.runs_written} runs with "
        f"{summary.records_written} records; it now holds {summary.run_count} runs "
        f"of {summary.sync_count} syncs"
    )
    return EXIT_OK


def _print_run(run: RunSummary) -> None:
    key = run.key
    print(
        f"run {key.organization_id}/{key.sync_id}/{key.sync_run_id}: "
        f"{run.record_count} records in {run.batch_count} batches",
        file=sys.stderr,
    )


def _print_columns(use: ColumnUse) -> None:
    renamed = [f"{canonical} from {name}" for name, canonical in use.renamed]
    _print_list("columns under another name", renamed)
    _print_list("columns in the payload", use.in_payload)
    _print_list("columns that were not used", use.unused)


def _print_list(title: str, names: Sequence[str]) -> None:
    if names:
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        print(f"{title}: {', '.join(names[:MOST_NAMES])}{more}", file=sys.stderr)


def _load_config(arguments: argparse.Namespace) -> LoadConfig:
    metadata, run_metadata = _read_metadata(arguments.metadata_file)
    metadata |= dict(_pair(text, "--metadata") for text in arguments.metadata)
    return LoadConfig(
        lake=arguments.lake,
        organization_id=arguments.organization_id,
        sync_id=arguments.sync_id,
        sync_run_id=arguments.sync_run_id,
        batch_size=arguments.batch_size,
        batch_type=arguments.batch_type,
        columns=dict(_pair(text, "--column") for text in arguments.column),
        values=dict(_pair(text, "--value") for text in arguments.value),
        metadata=metadata,
        run_metadata=run_metadata,
        write_metadata=not arguments.no_metadata,
        generation=Generation(arguments.generation),
    )


def _read_metadata(
    path: str | None,
) -> tuple[dict[str, object], dict[RunKey, dict[str, object]]]:
    """Values for all runs (a JSON object) or for single runs (a JSON array of such objects)."""
    if path is None:
        return {}, {}
    problem = (
        f"Expected {path} to hold a JSON object of metadata values, or an array of such "
        f"objects with {', '.join(METADATA_IDS)} in each"
    )
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{problem}, but it cannot be read: {error}.") from error
    if isinstance(document, dict):
        check_metadata(document)
        return document, {}
    if not isinstance(document, list) or not all(
        isinstance(entry, dict) and set(METADATA_IDS) <= entry.keys() for entry in document
    ):
        raise ConfigError(f"{problem}, but it holds something else. Write one of the two.")
    return {}, {
        RunKey(*(str(entry[name]) for name in METADATA_IDS)): {
            key: value for key, value in entry.items() if key not in METADATA_IDS
        }
        for entry in document
    }


def _pair(text: str, option: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if not separator or not key or not value:
        raise ConfigError(f"Expected NAME=VALUE after {option}, but got {text!r}.")
    return key, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=NAME,
        description="Write reverse-ETL result logs into the lake that dbt-sync-logs reads.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    load = commands.add_parser(
        "load",
        description="Load a result log, fact files or both. Runs that the lake has are replaced.",
        epilog=_COLUMNS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    demo = commands.add_parser("demo", description=COMMANDS["demo"].about)
    demo.add_argument(
        "--more", type=int, default=0, metavar="N", help="add N runs to each sync that still runs"
    )
    for command in (load, demo):
        command.add_argument("--lake", required=True, help="root of the lake: folder or Hadoop URL")
        command.add_argument("--master", default="local[*]", help="Spark master (local[*])")
        command.add_argument(
            "--conf", action="append", default=[], metavar="KEY=VALUE", help="a Spark setting"
        )
    _add_load_options(load)
    return parser


def _add_load_options(load: argparse.ArgumentParser) -> None:
    add = load.add_argument
    add("--input", help="path or, with --format table, name of the log")
    add("--format", choices=FORMATS, help="format of the log (from its suffix, else parquet)")
    add("--organization-id", help="id for all rows (default: column organization_id)")
    add("--sync-id", help="id for all rows (default: column sync_configuration_id or sync_id)")
    add("--sync-run-id", help="id for all rows (default: column sync_run_id)")
    add("--batch-size", type=int, default=DEFAULT_BATCH_SIZE, help="rows per file (10000)")
    add("--batch-type", default="records_updated", help="first part of file names")
    add(
        "--column",
        action="append",
        default=[],
        metavar="CANONICAL=NAME",
        help="name of a column in the log, e.g. identifier=email",
    )
    add(
        "--value",
        action="append",
        default=[],
        metavar="CANONICAL=TEXT",
        help="the same value in every row for a column that the log lacks, e.g. operation=upsert",
    )
    add(
        "--metadata",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="value in metadata.json",
    )
    add("--metadata-file", help="JSON file with metadata values for all runs or for single ones")
    add("--no-metadata", action="store_true", help="write no metadata.json")
    add(
        "--generation",
        choices=[generation.value for generation in Generation],
        default=Generation.RUN_IDS.value,
        help="extra columns of the batch files (run_ids: the newest generation)",
    )
    add(
        "--fact",
        action="append",
        default=[],
        metavar="KIND=PATH",
        help=f"a fact file; the kind is one of {', '.join(FACT_COLUMNS)}",
    )
