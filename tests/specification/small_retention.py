"""Small lakes that the independent computation builds, prunes and purges."""

from datetime import timedelta
from typing import Any

from oracle.building import at, lake_of, sent
from oracle.lake import BatchFile
from oracle.retention import Prune, Retained, SyncSettings
from specification.small_lake_answers import Rows

AS_OF = at(10_000)


def built(*files: BatchFile, metadata: dict[str, object] | None = None) -> Retained:
    """The state after a first build of some files."""
    return Retained().built(lake_of(*files, metadata=metadata), AS_OF)


def kept(*files: BatchFile, sync: str = "s", **settings: Any) -> Retained:
    """The state after a first build of some files, with settings of a sync."""
    return Retained().built(lake_of(*files), AS_OF, (SyncSettings("o", sync, **settings),))


def before(minute: int, organization: str | None = None, sync: str | None = None) -> Prune:
    """A prune of everything before a minute."""
    return Prune(at(minute) + timedelta(days=1), 1, organization, sync)


def rows_of(retained: Retained, table: str) -> Rows:
    """All rows of one table."""
    return retained.tables()[table]


def runs_with_rows(retained: Retained) -> list[str]:
    """The runs with rows in the row-level tables; they are the same in all of these tables."""
    found = [
        {row["sync_run_id"] for row in rows_of(retained, table)}
        for table in ("sync_records", "sync_log", "sync_changelog")
    ]
    assert found[0] == found[1] == found[2]
    return sorted(found[0])


def flagged(retained: Retained, flag: str) -> list[str]:
    """The runs for which a flag of `sync_runs` is true."""
    return sorted(row["sync_run_id"] for row in rows_of(retained, "sync_runs") if row[flag])


def identifiers(retained: Retained, table: str, column: str = "row_id") -> list[str]:
    """The identifiers in one table, in order, with duplicates."""
    return sorted(row[column] for row in rows_of(retained, table))


def run_row(retained: Retained, run: str) -> dict[str, Any]:
    """The only row of `sync_runs` for a run."""
    (found,) = (row for row in rows_of(retained, "sync_runs") if row["sync_run_id"] == run)
    return found


THREE = (sent("1", 1, "a"), sent("2", 2, "b"), sent("3", 3, "a", "c"))
