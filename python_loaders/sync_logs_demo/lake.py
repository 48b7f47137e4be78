"""Writes the missing parts of the demo lake, with the code of `load`."""

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import SparkSession
from pyspark.sql import types as T

from sync_logs_demo.facts import demo_facts, run_metadata
from sync_logs_demo.simulation import DemoRun, LoggedRow, simulate
from sync_logs_demo.syncs import BASE_RUNS, DEMO_SYNCS, DemoSync, generation_of
from sync_logs_loader.config import LoadConfig
from sync_logs_loader.errors import ConfigError, DemoLakeError
from sync_logs_loader.facts import load_facts
from sync_logs_loader.filesystem import LakeFiles
from sync_logs_loader.loader import RunSummary, ignore_progress, load_log
from sync_logs_loader.metadata import metadata_text
from sync_logs_loader.schemas import (
    DATASETS_FOLDER,
    FACT_COLUMNS,
    FACTS_FOLDER,
    INTERNAL_ID_COLUMN,
    METADATA_FILE,
    RECORD_SCHEMA,
    Generation,
)
from sync_logs_loader.writer import StagedRun, commit_run, run_folder, staging_folder

MARKER = "_demo_lake.json"
BATCH_SIZE = 100
BATCH_TYPE = "records_updated"

_LOG_SCHEMA = T.StructType(
    [
        T.StructField("organization_id", T.StringType()),
        T.StructField("sync_id", T.StringType()),
        T.StructField("sync_run_id", T.StringType()),
        *RECORD_SCHEMA.fields,
        T.StructField(INTERNAL_ID_COLUMN, T.StringType()),
    ]
)


@dataclass(frozen=True)
class DemoSummary:
    """What a call wrote, how many runs and syncs the lake now holds, the number of the last run."""

    lake: str
    runs_written: int
    records_written: int
    run_count: int
    sync_count: int
    last_run: int


def write_demo_lake(
    spark: SparkSession,
    lake: str,
    more_runs: int = 0,
    on_run: Callable[[RunSummary], None] = ignore_progress,
) -> DemoSummary:
    """Write the demo lake, or its missing parts; then `more_runs` more runs of each sync.

    A sync that has ended gets no more runs. Run k of a sync is the same in every lake; complete
    runs are not changed. `on_run` is called for each run with records. Raises `ConfigError` for a
    negative number of runs and `DemoLakeError` if the folder holds something that is not a demo
    lake.
    """
    if more_runs < 0:
        raise ConfigError(f"Expected 0 or more further runs, but got {more_runs}.")
    files = LakeFiles(spark, lake)
    _claim(files)
    run_count = max(BASE_RUNS, _latest_run(files)) + more_runs
    runs = [run for sync in DEMO_SYNCS for run in simulate(sync, sync.runs_in_lake(run_count))]
    missing = [run for run in runs if not _is_complete(files, run)]
    for generation in Generation:
        group = [run for run in missing if run.rows and generation_of(run.number) is generation]
        if group:
            _load(spark, lake, generation, group, on_run)
    _write_empty_runs(files, [run for run in missing if not run.rows])
    _write_facts(spark, files)
    records_written = sum(len(run.rows) for run in missing)
    return DemoSummary(lake, len(missing), records_written, len(runs), len(DEMO_SYNCS), run_count)


def _claim(files: LakeFiles) -> None:
    names = files.names()
    if names and MARKER not in names:
        raise DemoLakeError(
            f"Expected an empty or new folder or a demo lake, but {files.root} holds "
            f"{', '.join(names[:3])} and no {MARKER}. Choose another folder."
        )
    if not names:
        files.make_folder("")
        # Written before the first run, so that a stopped demo can continue.
        files.write_text(MARKER, '{"layout": 1}\n')


def _latest_run(files: LakeFiles) -> int:
    numbers = [0]
    for sync in DEMO_SYNCS:
        run_ids = files.names(f"{DATASETS_FOLDER}/{sync.organization_id}/{sync.sync_id}")
        unknown = [name for name in run_ids if not _is_demo_run(sync, name)]
        if unknown:
            raise DemoLakeError(
                f"Expected only runs of the demo in {files.root}, but sync {sync.sync_id} of "
                f"organization {sync.organization_id} has a run {unknown[0]!r}. "
                "Choose another folder."
            )
        numbers += [sync.run_number(name) for name in run_ids]
    return max(numbers)


def _is_demo_run(sync: DemoSync, run_id: str) -> bool:
    return run_id.isdigit() and sync.run_key(sync.run_number(run_id)).sync_run_id == run_id


def _is_complete(files: LakeFiles, run: DemoRun) -> bool:
    batch_count = -(-len(run.rows) // BATCH_SIZE)
    expected = [f"{BATCH_TYPE}.{number}.parquet" for number in range(1, batch_count + 1)]
    if run.sync.has_metadata:
        expected.append(METADATA_FILE)
    return set(expected) <= set(files.names(run_folder(run.sync.run_key(run.number))))


def _load(
    spark: SparkSession,
    lake: str,
    generation: Generation,
    runs: list[DemoRun],
    on_run: Callable[[RunSummary], None],
) -> None:
    rows = [_log_row(row) for run in runs for row in run.rows]
    log = spark.createDataFrame(rows, _LOG_SCHEMA, verifySchema=False).coalesce(1)
    config = LoadConfig(
        lake=lake,
        batch_size=BATCH_SIZE,
        batch_type=BATCH_TYPE,
        run_metadata={
            run.sync.run_key(run.number): run_metadata(run) if run.sync.has_metadata else None
            for run in runs
        },
        generation=generation,
    )
    load_log(spark, log, config, on_run)


def _log_row(row: LoggedRow) -> tuple[object, ...]:
    return (
        row.key.organization_id,
        row.key.sync_id,
        row.key.sync_run_id,
        row.identifier,
        row.record_payload,
        row.operation,
        row.status,
        row.status_message,
        row.batch_started_at,
        row.batch_ended_at,
        row.internal_id,
    )


def _write_empty_runs(files: LakeFiles, runs: list[DemoRun]) -> None:
    """Runs without anything to send have a `metadata.json` and no batch file."""
    with staging_folder(files) as stage:
        for index, run in enumerate(runs):
            key = run.sync.run_key(run.number)
            text = metadata_text(key, run_metadata(run))
            commit_run(files, stage, StagedRun(key, index, ()), BATCH_TYPE, text)


def _write_facts(spark: SparkSession, files: LakeFiles) -> None:
    for kind, names in FACT_COLUMNS.items():
        facts = demo_facts(kind)
        organizations = {fact["organization_id"] for fact in facts}
        paths = [f"{FACTS_FOLDER}/{name}/{kind}.parquet" for name in sorted(organizations)]
        if all(files.exists(path) for path in paths):
            continue
        schema = T.StructType(
            [T.StructField(name, T.StringType()) for name in ("organization_id", *names)]
        )
        rows = [tuple(fact.get(name) for name in schema.fieldNames()) for fact in facts]
        load_facts(spark, spark.createDataFrame(rows, schema), files.root, kind)
