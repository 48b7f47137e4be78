"""Syncs, their runs and their attempts, each in order (docs/semantics.md, Order)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from .lake import BatchFile, Lake, LoggedRow
from .metadata import RunMetadata, read_metadata
from .sources import LAKE, Source
from .values import earliest, grouped, latest
from .vocabulary import map_operation, map_run_status, map_status

# How long after its last batch a run is settled in any case, by default.
SETTLED_AFTER = timedelta(minutes=60)
# A run number has at most 38 digits; longer ids are ordered only as text.
NO_RUN_NUMBER = 10**38
EARLIEST = datetime.min.replace(tzinfo=timezone.utc)

SyncKey = tuple[str, str]
RunKey = tuple[str, str, str]


@dataclass(frozen=True)
class Attempt:
    """One logged row, its place in its source and its mapped words."""

    row: LoggedRow
    file_name: str
    row_index: int
    operation: str
    record_status: str
    # What only the name of a batch file says.
    batch_type: str | None = None
    batch_number: int | None = None
    # What only some sources report: added, changed or removed, and the group of a split.
    reported_op_type: str | None = None
    split_group: str | None = None
    # The vendor's id of the row, and when the vendor wrote it.
    log_id: str | None = None
    logged_at: datetime | None = None
    # Whether its source no longer has the row; not known of a lake.
    is_deleted: bool = False
    # Whether no row of its source says it: the record is no longer among those that are in.
    is_inferred: bool = False

    @property
    def identifier(self) -> str | None:
        """The record's key, byte for byte."""
        return self.row.identifier

    @property
    def has_state(self) -> bool:
        """Whether the attempt has state; null keys and `append` rows have none."""
        return self.identifier is not None and self.operation != "append"


@dataclass(frozen=True)
class Run:
    """One run of a sync; `attempts` are in order."""

    organization_id: str
    sync_id: str
    sync_run_id: str
    metadata: RunMetadata
    attempts: tuple[Attempt, ...]
    has_unreadable_file: bool = False
    # The time of rows that have none of their own.
    rows_ended_at: datetime | None = None
    # Counts that go before those of the rows, by column of `sync_runs`.
    reported_counts: Mapping[str, int] = field(default_factory=dict)
    source: Source = LAKE
    # Rows that repeated the key of another row when the run was last read; None for a lake.
    duplicate_row_count: int | None = None

    @property
    def sync_key(self) -> SyncKey:
        """Organisation and sync."""
        return self.organization_id, self.sync_id

    @property
    def key(self) -> RunKey:
        """Organisation, sync and run."""
        return self.organization_id, self.sync_id, self.sync_run_id

    @property
    def reported_status(self) -> str | None:
        """The meaning of the reported status: succeeded, failed or None."""
        return map_run_status(self.metadata.sync_run_status)

    @property
    def order_at(self) -> datetime | None:
        """The time that orders the runs."""
        return (
            self.metadata.sync_run_started_at
            or earliest(one.row.batch_started_at for one in self.attempts)
            or earliest(one.row.batch_ended_at for one in self.attempts)
        )

    @property
    def last_batch_ended_at(self) -> datetime | None:
        """The end of the run's last batch."""
        return latest(one.row.batch_ended_at for one in self.attempts)

    @property
    def time_of_end(self) -> datetime | None:
        """The time of what the run did to records that it did not send."""
        return self.last_batch_ended_at or self.rows_ended_at or self.order_at

    @property
    def deleted_row_count(self) -> int | None:
        """How many of its rows its source no longer has; None for a lake."""
        if self.duplicate_row_count is None:
            return None
        return sum(attempt.is_deleted for attempt in self.attempts)

    def reported_time_of(self, attempt: Attempt) -> datetime | None:
        """Return when an attempt of this run ended; None if its source does not report it."""
        return attempt.row.batch_ended_at or self.rows_ended_at

    def time_of(self, attempt: Attempt) -> datetime | None:
        """Return the time of an attempt of this run, and so of the event that it decides."""
        return self.reported_time_of(attempt) or self.order_at


@dataclass(frozen=True)
class Sync:
    """One sync of an organisation; `runs` are in order, and `settled` has a flag for each."""

    organization_id: str
    sync_id: str
    runs: tuple[Run, ...]
    settled: tuple[bool, ...]

    @property
    def source(self) -> Source:
        """The source of all its runs, because an organisation belongs to one source."""
        return self.runs[0].source


def read_syncs(lake: Lake, as_of: datetime) -> list[Sync]:
    """Read all syncs of a lake, in order."""
    return in_order(read_runs(lake), as_of)


def in_order(
    runs: Iterable[Run], as_of: datetime, settled_for_good: frozenset[RunKey] = frozenset()
) -> list[Sync]:
    """Order the runs of each sync; the runs in `settled_for_good` are settled in any case."""
    runs_by_sync = grouped(runs, lambda run: run.sync_key)
    settle_before = as_of - SETTLED_AFTER
    syncs = []
    for (organization_id, sync_id), its_runs in sorted(runs_by_sync.items()):
        its_runs.sort(key=run_order)
        settled = [
            run.key in settled_for_good
            or is_settled(run, has_later_run=run is not its_runs[-1], settle_before=settle_before)
            for run in its_runs
        ]
        syncs.append(Sync(organization_id, sync_id, tuple(its_runs), tuple(settled)))
    return syncs


def run_order(run: Run) -> tuple[bool, datetime, int, str]:
    """Return a sort key: time (nulls last), then number (others last), then text."""
    number = NO_RUN_NUMBER
    if re.fullmatch("[0-9]+", run.sync_run_id):
        number = min(number, int(run.sync_run_id))
    return run.order_at is None, run.order_at or EARLIEST, number, run.sync_run_id


def is_settled(run: Run, has_later_run: bool, settle_before: datetime) -> bool:
    """Whether a run is complete, so that nothing more is expected of it."""
    if run.metadata.sync_run_finished_at is not None or run.reported_status is not None:
        return True
    ended_at = run.last_batch_ended_at
    if ended_at is not None and ended_at < settle_before:
        return True
    # A later run does not show that a mirror run, which replaces the object, was complete.
    has_mirror_rows = any(attempt.operation == "mirror" for attempt in run.attempts)
    return has_later_run and not has_mirror_rows


def batch_of(file_name: str) -> tuple[str, int | None]:
    """Return the batch type and number in a file name (decision R18)."""
    match = re.fullmatch(r"(.*)\.([0-9]+)\.[^.]*", file_name, re.DOTALL)
    if match is None:
        return file_name.removesuffix(".parquet"), None
    return match.group(1), int(match.group(2))


def read_runs(lake: Lake) -> list[Run]:
    """Read every run of a lake, in no particular order."""
    files_by_run = grouped(lake.files.values(), lambda file: file.path.rpartition("/")[0])
    metadata_by_run = {path.rpartition("/")[0]: text for path, text in lake.metadata.items()}
    runs = []
    for folder in sorted({*files_by_run, *metadata_by_run}):
        _, organization_id, sync_id, sync_run_id = folder.split("/")
        files = files_by_run.get(folder, [])
        attempts = [attempt for file in files for attempt in _read_attempts(file)]
        runs.append(
            Run(
                organization_id=organization_id,
                sync_id=sync_id,
                sync_run_id=sync_run_id,
                metadata=read_metadata(metadata_by_run.get(folder)),
                attempts=tuple(sorted(attempts, key=_attempt_order)),
                has_unreadable_file=any(file.rows is None for file in files),
                source=lake.source,
            )
        )
    return runs


def _read_attempts(file: BatchFile) -> list[Attempt]:
    file_name = file.path.rpartition("/")[2]
    batch_type, batch_number = batch_of(file_name)
    return [
        Attempt(
            row=row,
            file_name=file_name,
            row_index=row_index,
            batch_type=batch_type,
            batch_number=batch_number,
            operation=map_operation(row.operation),
            record_status=map_status(row.status, row.identifier),
        )
        for row_index, row in enumerate(file.rows or ())
    ]


def _attempt_order(attempt: Attempt) -> tuple[datetime, int, str, int]:
    # Nulls first: a missing time is before every time, a missing number below every number.
    return (
        attempt.row.batch_ended_at or EARLIEST,
        -1 if attempt.batch_number is None else attempt.batch_number,
        attempt.file_name,
        attempt.row_index,
    )
