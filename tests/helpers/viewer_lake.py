"""A small lake for the viewer: hostile identifiers and payloads, and a run in each state."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from oracle.writing import LakeFile, ParquetFile, TextFile, write_file

START = datetime(2026, 3, 1, 6, tzinfo=timezone.utc)
NOW = START + timedelta(hours=3)
COLUMNS = (
    *("identifier", "record_payload", "operation", "status", "status_message"),
    *("batch_started_at", "batch_ended_at"),
)
HOSTILE = (
    *("![x](http://evil.example/i.png)", "</script><script>alert(1)</script>", "' or 1=1 --"),
    *("a/b?c&d=#e%2F ☃", "\u202eabc", "o'brien\\", "100%_x", "100_zx", "", " ", "x" * 10_000),
    *("=HYPERLINK(1)", "+1", "-1", "@x", "\tx", "\rx", "{{ 7*7 }}", "${x}", "nul\x00nul", "007"),
)
PAYLOADS = (
    '{"big": 12345678901234567890, "rate": 1.10, "a": 1, "a": 2}',
    "not json </script>",
    '{"note": "![x](http://evil.example/p.png)"}',
    '{"text": "' + "y" * 2_000_000 + '"}',
)
Record = dict[str, object]


def record(
    identifier: str | None,
    status: str = "succeeded",
    message: str | None = None,
    operation: str = "upsert",
    payload: str | None = None,
    minute: int = 0,
) -> Record:
    """One logged row."""
    return {
        "identifier": identifier,
        "record_payload": payload or json.dumps({"email": f"{(identifier or '')[:20]}@x"}),
        "operation": operation,
        "status": status,
        "status_message": message,
        "batch_started_at": START + timedelta(minutes=minute),
        "batch_ended_at": START + timedelta(minutes=minute + 1),
    }


def at_time(at: datetime) -> Record:
    """A row that was logged at a time."""
    row = record(f"at {at:%Y}", "rejected", f"not known at {at}")
    return row | {"batch_started_at": at, "batch_ended_at": at}


def batch(run: str, number: int, records: Sequence[Record]) -> ParquetFile:
    """A batch file of a run, given as organisation/sync/run."""
    return ParquetFile(f"sync_tracking_datasets/{run}/b.{number}.parquet", COLUMNS, tuple(records))


def ended(run: str, minute: int, name: str) -> TextFile:
    """The metadata of a run that succeeded."""
    at = f"{START + timedelta(minutes=minute):%Y-%m-%dT%H:%M:%SZ}"
    described = {
        "model_name": name,
        "sync_run_started_at": at,
        "sync_run_finished_at": at,
        "sync_run_status": "succeeded",
    }
    return TextFile(f"sync_tracking_datasets/{run}/metadata.json", json.dumps(described))


FIRST_RUN = (
    *(record(one, payload=PAYLOADS[i % 4] if i < 4 else None) for i, one in enumerate(HOSTILE)),
    record("bad", "rejected", "email bad@x is not known"),
    record("worse", "rejected", "email worse@x is not known"),
    record("silent", "rejected", None),
    record(None, "NULL", None),
    record("twice", "DUPLICATE", None),
    record("twice"),
)
SECOND_RUN = (
    record("007", operation="delete", minute=60),
    record("bad", minute=60),
    *(record(f"many {number:03}", minute=60) for number in range(120)),
)
IN_PROGRESS = (record("now", minute=170), record("007", minute=170))
MORE_IN_PROGRESS = (record("now 2", minute=171), record("never", "rejected", "no", minute=171))
# more than a year without data lies between any two of these days
EDGES = (
    datetime(1, 1, 2, tzinfo=timezone.utc),
    datetime(1970, 1, 1, tzinfo=timezone.utc),
    START,
    datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=timezone.utc),
)
# of metadata: one is in the year 10000 (UTC), one in the year 0
BEYOND = ("9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00")
# the days of this sync are more than the last ten years
LONG = tuple(datetime(1990, 1, 1, tzinfo=timezone.utc) + timedelta(days=360 * i) for i in range(13))
ELSEWHERE = (record("007", "rejected", "not here"), record("only here"))
LAKE: tuple[LakeFile, ...] = (
    batch("o/s/1", 1, FIRST_RUN),
    ended("o/s/1", 2, "Customers </script>"),
    batch("o/s/2", 1, SECOND_RUN[:60]),
    batch("o/s/2", 2, SECOND_RUN[60:]),
    ended("o/s/2", 62, "Customers </script>"),
    batch("o/s/3", 1, IN_PROGRESS),
    batch("p/s/1", 1, ELSEWHERE),
    ended("p/s/1", 2, "Others"),
)
# for pages of syncs with impossible times
AT_THE_EDGE: tuple[LakeFile, ...] = (
    *(batch(f"edge/edges/{i}", 1, (at_time(at),)) for i, at in enumerate(EDGES)),
    *(
        TextFile(
            f"sync_tracking_datasets/edge/beyond/{i}/metadata.json",
            json.dumps({"sync_run_started_at": at, "sync_run_finished_at": at}),
        )
        for i, at in enumerate(BEYOND)
    ),
    *(batch(f"edge/beyond/{i}", 1, (record(f"beyond {i}"),)) for i, _ in enumerate(BEYOND)),
    *(batch(f"long/long/{i}", 1, (at_time(at),)) for i, at in enumerate(LONG)),
)
LATER: tuple[LakeFile, ...] = (batch("o/s/3", 2, MORE_IN_PROGRESS),)


def write_lake(folder: Path, files: Sequence[LakeFile]) -> None:
    """Write files of a lake below a folder."""
    for file in files:
        write_file(folder, file)
