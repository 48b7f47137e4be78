"""Stages batch files in a hidden folder of the lake, then renames them into the runs.

A staging folder is `<lake>/_loading-<random>`, so it is on the lake's own file system. If a killed
process left one behind, you can delete it as soon as no load is running.
"""

import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from sync_logs_loader.columns import KEY_COLUMNS
from sync_logs_loader.config import RunKey
from sync_logs_loader.errors import WriteError
from sync_logs_loader.filesystem import LakeFiles
from sync_logs_loader.payloads import RUN_INDEX
from sync_logs_loader.records import HELPERS, ROW_NUMBER
from sync_logs_loader.schemas import DATASETS_FOLDER, METADATA_FILE

# Spark numbers files by task, then by the `maxRecordsPerFile` counter within the task.
_PART_FILE = re.compile(r"part-(?P<task>\d+)-.*[.-]c(?P<counter>\d+)\..*parquet")


@dataclass(frozen=True)
class StagedRun:
    """Batch files of one run that wait for their rename, in the order of their rows."""

    key: RunKey
    index: int
    batches: tuple[str, ...]


def run_folder(run: RunKey) -> str:
    """Path of a run relative to the lake."""
    return f"{DATASETS_FOLDER}/{run.organization_id}/{run.sync_id}/{run.sync_run_id}"


@contextmanager
def staging_folder(files: LakeFiles) -> Iterator[str]:
    """A hidden folder for the duration of one load.

    It is deleted at the end, unless it still holds a run that could not be restored.
    """
    stage = f"_loading-{uuid.uuid4().hex}"
    files.make_folder(stage)
    try:
        yield stage
    finally:
        if not files.names(f"{stage}/replaced"):
            files.delete(stage)


def stage_single_run(records: DataFrame, files: LakeFiles, stage: str, batch_size: int) -> None:
    """Write the rows of one run in the order of the log: no shuffle, no sort, no second pass."""
    rows = records.drop(*HELPERS)
    folder = f"{stage}/records/{RUN_INDEX}=0"
    rows.write.option("maxRecordsPerFile", batch_size).parquet(files.url(folder))
    parts = _parts(files, folder)
    if len(parts) > 1:
        # Spark's first task writes a file even without rows; the other tasks do not.
        first = records.sparkSession.read.schema("identifier string").parquet(files.url(parts[0]))
        if first.isEmpty():
            files.delete(parts[0])


def stage_many_runs(
    records: DataFrame, runs: DataFrame, files: LakeFiles, stage: str, batch_size: int
) -> None:
    """Write the rows of many runs, each run in one task and in the order of the log.

    `runs` has one row per run: the key columns and an integer `run_index`.
    """
    indexed = records.join(F.broadcast(runs), on=list(KEY_COLUMNS), how="inner")
    rows = indexed.repartition(RUN_INDEX).sortWithinPartitions(RUN_INDEX, ROW_NUMBER).drop(*HELPERS)
    target = files.url(f"{stage}/records")
    rows.write.option("maxRecordsPerFile", batch_size).partitionBy(RUN_INDEX).parquet(target)


def staged_runs(files: LakeFiles, stage: str, keys: Sequence[RunKey]) -> list[StagedRun]:
    """What was staged for each run; the position of a key is its run index."""
    return [
        StagedRun(key, index, _parts(files, f"{stage}/records/{RUN_INDEX}={index}"))
        for index, key in enumerate(keys)
    ]


def _parts(files: LakeFiles, folder: str) -> tuple[str, ...]:
    parts = [match for name in files.names(folder) if (match := _PART_FILE.fullmatch(name))]
    parts.sort(key=lambda match: (int(match["task"]), int(match["counter"])))
    return tuple(f"{folder}/{part[0]}" for part in parts)


def commit_run(
    files: LakeFiles, stage: str, run: StagedRun, batch_type: str, metadata: str | None
) -> None:
    """Put a staged run into the lake, one rename per file, `metadata.json` last.

    First the whole old version of the run, if any, is moved aside. A reader sees the old run, then
    none or some complete batches of the new one, never a mix and never a row twice. If a rename
    fails, the old run is restored and the error is raised again.
    """
    folder = run_folder(run.key)
    replaced = f"{stage}/replaced/{run.index}"
    names = [f"{batch_type}.{number}.parquet" for number in range(1, len(run.batches) + 1)]
    moves = list(zip(run.batches, names, strict=True))
    if metadata is not None:
        source = f"{stage}/{run.index}.json"
        files.write_text(source, metadata)
        moves.append((source, METADATA_FILE))
    is_replacing = files.exists(folder)
    if is_replacing:
        files.move(folder, replaced)
    try:
        files.make_folder(folder)
        for source, name in moves:
            files.move(source, f"{folder}/{name}")
    except BaseException as error:
        files.delete(folder)
        if is_replacing:
            files.move(replaced, folder)
        if isinstance(error, Exception) and not isinstance(error, WriteError):
            raise WriteError(
                f"Expected to rename the files of run {run.key.sync_run_id} into "
                f"{files.url(folder)}, but the file system failed: {error}. "
                "The run is unchanged; load it again."
            ) from error
        raise
    files.delete(replaced)
