"""What the tables of Hightouch have before each of three builds."""

from datetime import datetime

from helpers.hightouch_tables import CHANGELOG, RUNS
from helpers.source_tables import put

SCHEMA = "hightouch_audit"
SOURCE = {"name": "ht", "type": "hightouch", "schema": SCHEMA, "organization_id": "acme"}
# after the second build
PURGED = {"organization_id": "acme", "identifier": "b"}


def row(
    run: int, op_type: str, row_id: str, status: str = "succeeded", **more: object
) -> dict[str, object]:
    """A row of `sync_changelog`."""
    return {
        **{"sync_id": 1, "sync_run_id": run, "op_type": op_type, "row_id": row_id},
        **{"status": status, "fields": f'{{"id": "{row_id}"}}', **more},
    }


def run(number: int, day: int, **more: object) -> dict[str, object]:
    """A row of `sync_runs` of a run that took an hour."""
    return {
        **{"sync_id": 1, "sync_run_id": number, "status": "success", "model_name": "Customers"},
        **{"destination": "braze", "primary_key": "id", "started_at": datetime(2026, 1, day, 1)},
        **{"finished_at": datetime(2026, 1, day, 2), **more},
    }


# run 9 comes before run 10, as numbers and by time
FIRST = [
    row(9, "added", "a"),
    row(9, "added", "b", "failed", failure_reason="no e-mail"),
    row(9, "removed", "d"),
]
SECOND = [
    row(10, "changed", "c"),
    row(10, "removed", "a"),
    row(10, "added", "b"),
    row(10, "added", "e", "aborted"),
]


def write(build: int) -> None:
    """Write the tables, which stay as they are."""
    if build == 1:
        listed_twice = [
            run(9, 1, finished_at=datetime(2026, 1, 1, 1, 30)),
            run(9, 1, num_planned_add=7),
        ]
        put(f"{SCHEMA}.sync_changelog", CHANGELOG, [*FIRST, *SECOND])
        put(f"{SCHEMA}.sync_runs", RUNS, [*listed_twice, run(10, 2, finished_at=None)])
