"""What drt has written into its folder `.drt` before each of three builds."""

from pathlib import Path

from vendors.drt_files import write_lines

# the name of a file is the name of its sync
PEOPLE, ORDERS = "crm people +1%", "orders"


def ran(run: str, day: int, status: str, synced: int, failed: int) -> dict[str, object]:
    """A line of the history: a run of an hour."""
    return {
        **{"sync_name": "not read", "started_at": f"2026-01-{day:02}T01:00:00.000001+00:00"},
        **{"completed_at": f"2026-01-{day:02}T02:00:00+00:00", "duration_seconds": 3600.0},
        **{"status": status, "records_synced": synced, "records_failed": failed, "errors": []},
        **{"cursor_value_used": None, "dry_run": False, "run_id": "i", "sync_run_id": run},
        "guards": None,
    }


def letter(run: str, day: int, name: str, status: int | None, message: str) -> dict[str, object]:
    """A dead letter of the half of the hour."""
    return {
        **{"record": {"email": name, "age": None, "plan": "é"}, "error_message": message},
        **{"http_status": status, "timestamp": f"2026-01-{day:02}T01:30:00.5+00:00"},
        **{"attempts": 1, "sync_run_id": run, "id": f"{run}/{name}"},
    }


def write(build: int, folder: Path) -> None:
    """Write the files of a `.drt`."""
    history, letters = folder / "history", folder / "dlq"
    first, second = ran("r1", 1, "partial", 8, 2), ran("r2", 2, "success", 10, 0)
    third = ran("r3", 3, "failed", 0, 1)
    bob, eve = letter("r1", 1, "bob", 422, "bad e-mail"), letter("r1", 1, "eve", 503, "")
    refused = letter("r3", 3, "bob", None, "refused")
    if build == 1:
        write_lines(history, PEOPLE, [first], cut='{"sync_name": "crm people", "started_')
        write_lines(history, ORDERS, [ran("o1", 1, "partial", 3, 1)])
        # no record of a sync with dead letters has failed yet, so drt has made no folder for them
    elif build == 2:
        write_lines(letters, PEOPLE, [bob, eve, refused])
        write_lines(history, PEOPLE, [first, second, third])
        (history / f"{PEOPLE}.jsonl.tmp").write_text('{"sync_run_id": "r9", "status": "success"}\n')
    else:
        # a retry delivers bob of the first run, but not eve; the history of that run expires
        again = eve | {"attempts": 3, "error_message": "try again later"}
        write_lines(letters, PEOPLE, [again, refused])
        write_lines(history, PEOPLE, [second, third])
