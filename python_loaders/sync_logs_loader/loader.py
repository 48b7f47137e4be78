"""Loads a result log into the lake: the code that the command line and the demo share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark.sql import DataFrame, Observation, Row, SparkSession
from pyspark.sql import types as T

from sync_logs_loader import records as R
from sync_logs_loader.columns import KEY_COLUMNS, ColumnUse, plan_columns
from sync_logs_loader.config import LoadConfig, RunKey
from sync_logs_loader.errors import InvalidRecordsError, WriteError
from sync_logs_loader.filesystem import LakeFiles
from sync_logs_loader.logs import Log
from sync_logs_loader.metadata import metadata_text, metadata_values
from sync_logs_loader.payloads import RUN_INDEX, infer_payload_schemas, sample_batches
from sync_logs_loader.session import utc_settings
from sync_logs_loader.sources import SPARK_ERRORS, first_line
from sync_logs_loader.writer import (
    StagedRun,
    commit_run,
    stage_many_runs,
    stage_single_run,
    staged_runs,
    staging_folder,
)

SMALL_RUN_ROWS = 250_000
"""Up to this size one task writes a run, so that every batch but the last is full."""

_RUNS_SCHEMA = T.StructType(
    [
        *(T.StructField(name, T.StringType()) for name in KEY_COLUMNS),
        T.StructField(RUN_INDEX, T.IntegerType()),
    ]
)


@dataclass(frozen=True)
class RunSummary:
    """One run that is now in the lake."""

    key: RunKey
    record_count: int
    batch_count: int


@dataclass(frozen=True)
class LoadSummary:
    """What a load wrote, one entry per run in the order of keys, and the use of columns."""

    runs: tuple[RunSummary, ...]
    columns: ColumnUse

    @property
    def record_count(self) -> int:
        """Rows of all runs together."""
        return sum(run.record_count for run in self.runs)


def ignore_progress(_: RunSummary) -> None:
    """A progress callback for callers that want none."""


def load_log(
    spark: SparkSession,
    log: DataFrame | Log,
    config: LoadConfig,
    on_run: Callable[[RunSummary], None] = ignore_progress,
) -> LoadSummary:
    """Write a log (one row per logged row) as runs of the lake, replacing those that exist.

    A batch file holds `batch_size` rows in the order of the log; the last one of a run can hold
    fewer. Only a log of one run with more than `SMALL_RUN_ROWS` rows can have more short batches:
    one per input split, because filling them up would need a shuffle. The order of the log is that
    of Spark's reader: file by file, line by line; a table or a view with joins has no order.
    `on_run` is called after each run. Each run is replaced as a whole (see `commit_run`). If a
    load fails in between, earlier runs are new and later runs are old; just repeat it.
    Raises `SyncLogsLoaderError` for every fault of the input or the lake.
    """
    with utc_settings(spark), _written(config.lake):
        source = Log(log) if isinstance(log, DataFrame) else log
        plan = plan_columns(source.columns, config)
        records = R.select_records(source, plan, config)
        files = LakeFiles(spark, config.lake)
        with staging_folder(files) as stage:
            if config.single_run is not None:
                keys = [config.single_run]
                profiles = [_stage_single(source, records, files, stage, config)]
            else:
                keys, profiles = _stage_many(spark, source, records, files, stage, config)
            staged = staged_runs(files, stage, keys)
            schemas = _payload_schemas(spark, files, stage, staged, config)
            summaries = []
            for run, profile in zip(staged, profiles, strict=True):
                text = _metadata(run, profile, schemas, config)
                commit_run(files, stage, run, config.batch_type, text)
                summary = RunSummary(run.key, profile.record_count, len(run.batches))
                on_run(summary)
                summaries.append(summary)
            return LoadSummary(tuple(summaries), plan.use)


def _stage_single(
    log: Log, records: DataFrame, files: LakeFiles, stage: str, config: LoadConfig
) -> R.RunProfile:
    is_small = records.limit(SMALL_RUN_ROWS + 1).count() <= SMALL_RUN_ROWS
    # The profile is computed while the rows are written: another pass would read them twice.
    observation = Observation()
    rows = records.coalesce(1) if is_small else records
    observed = rows.observe(observation, *R.profile_metrics())
    stage_single_run(observed, files, stage, config.batch_size)
    profile = _profile(Row(**observation.get))
    if profile.broken_rows:
        raise log.broken(profile.broken_rows)
    R.check_profile(profile, f"run {config.sync_run_id}")
    return profile


def _stage_many(
    spark: SparkSession,
    log: Log,
    records: DataFrame,
    files: LakeFiles,
    stage: str,
    config: LoadConfig,
) -> tuple[list[RunKey], list[R.RunProfile]]:
    by_run = records.groupBy(*KEY_COLUMNS).agg(*R.profile_metrics()).collect()
    if not by_run:
        raise InvalidRecordsError(
            "Expected a log with rows, but the input is empty. Check the path and the format."
        )
    if broken_rows := sum(row["broken"] for row in by_run):
        raise log.broken(broken_rows)
    for row in by_run:
        if any(row[name] is None for name in KEY_COLUMNS):
            raise InvalidRecordsError(
                f"Expected an organization, a sync and a run id in every row, but "
                f"{row['record_count']} rows lack one. Fix the log or give the id as an option."
            )
    profiles = {RunKey(*(row[name] for name in KEY_COLUMNS)): _profile(row) for row in by_run}
    keys = sorted(profiles)
    for key in keys:
        R.check_profile(profiles[key], f"run {key.sync_run_id} of sync {key.sync_id}")
    runs = spark.createDataFrame(
        [
            (key.organization_id, key.sync_id, key.sync_run_id, index)
            for index, key in enumerate(keys)
        ],
        _RUNS_SCHEMA,
    )
    stage_many_runs(records, runs, files, stage, config.batch_size)
    return keys, [profiles[key] for key in keys]


def _profile(row: Row) -> R.RunProfile:
    return R.RunProfile(
        row["record_count"],
        row["operation"],
        row["status"],
        row["time"],
        row["broken"],
        row["started_at"],
    )


def _payload_schemas(
    spark: SparkSession,
    files: LakeFiles,
    stage: str,
    staged: list[StagedRun],
    config: LoadConfig,
) -> dict[int, dict[str, str]]:
    samples = {
        run.index: [files.url(path) for path in sample_batches(run.batches, config.batch_size)]
        for run in staged
        if (values := metadata_values(config, run.key)) is not None
        and "record_payload_schema" not in values
    }
    if not samples:
        return {}
    return infer_payload_schemas(spark, files.url(f"{stage}/records"), samples)


def _metadata(
    run: StagedRun,
    profile: R.RunProfile,
    schemas: dict[int, dict[str, str]],
    config: LoadConfig,
) -> str | None:
    values = metadata_values(config, run.key)
    if values is None:
        return None
    return metadata_text(run.key, values, profile.started_at, schemas.get(run.index))


@contextmanager
def _written(lake: str) -> Iterator[None]:
    try:
        yield
    except SPARK_ERRORS as error:
        raise WriteError(
            f"Expected to read all of the log and write it to {lake}, but Spark could not: "
            f"{first_line(error)} Runs not reported as written are unchanged; fix it and repeat."
        ) from error
