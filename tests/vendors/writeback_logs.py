"""What the table of Census Warehouse Writeback has before each of three builds."""

from datetime import datetime, timedelta

from helpers.source_tables import put
from helpers.writeback_tables import IDS, SYNC_LOG

SCHEMA = "census"
SOURCE = {"name": "wb", "type": "census_writeback", "schema": SCHEMA}
DAY = datetime(2026, 1, 1)


def row(
    log_id: str, run: int, identifier: str, status: str, hour: int, **more: object
) -> dict[str, object]:
    """A row of `sync_log`, logged a day after its batch."""
    ended_at = DAY + timedelta(hours=hour)
    return {
        **{"log_id": log_id, "sync_id": 1, "sync_run_id": run, "record_identifier": identifier},
        **{"record_payload": "{}", "operation": "upsert", "status": status},
        **{"batch_started_at": ended_at - timedelta(minutes=1), "batch_completed_at": ended_at},
        **{"_census_logged_at": ended_at + timedelta(days=1), **more},
    }


def write(build: int) -> None:
    """Write the table; the third build finds no news."""
    first = [
        row("l1", 5, "a", "succeeded", 1),
        row("l2", 5, "b", "rejected", 1, status_message="no"),
        row("l1", 5, "a", "succeeded", 1),
    ]
    if build == 1:
        put(f"{SCHEMA}.sync_log", SYNC_LOG, first)
    elif build == 2:
        # the ids come with another release; a row was logged late, and another cleaned up
        ids = dict(zip(IDS, (7, 8, 9, 10), strict=True))
        late = row("l3", 5, "b", "succeeded", 2, _census_logged_at=DAY + timedelta(days=9), **ids)
        put(f"{SCHEMA}.sync_log", SYNC_LOG | IDS, [late, {**first[1], **ids}])
