"""20,000 small files in 2,000 runs: slow, so only `make test-long` runs it. It prints times."""

import json
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from helpers.project import said_by_dbt

RUNS_PER_SYNC = 40
SYNCS = 50
FILES_PER_RUN = 10
ROWS_PER_FILE = 3
START = datetime(2026, 1, 1, tzinfo=timezone.utc)


def test_20000_small_files_build_and_grow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for sync in range(SYNCS):
        for run in range(RUNS_PER_SYNC):
            write_run(tmp_path / "lake", sync, run)
    first = timed_build(tmp_path)
    assert counts(tmp_path) == expected_counts(extra_runs=0)
    write_run(tmp_path / "lake", 0, RUNS_PER_SYNC)
    second = timed_build(tmp_path)
    assert counts(tmp_path) == expected_counts(extra_runs=1)
    with capsys.disabled():
        print(f"\n20,000 files: first build {first:.0f} s, one more run {second:.0f} s")


def write_run(lake: Path, sync: int, run: int) -> None:
    """Write a run of ten batches, each with the same three records."""
    folder = lake / "sync_tracking_datasets" / "org" / f"sync {sync}" / str(run)
    folder.mkdir(parents=True)
    started_at = START + timedelta(hours=run)
    (folder / "metadata.json").write_text(
        json.dumps({"model_name": "Leads", "sync_run_started_at": started_at.isoformat()})
    )
    for number in range(FILES_PER_RUN):
        ended_at = started_at + timedelta(minutes=number)
        columns = {
            "identifier": [f"{number}-{row}" for row in range(ROWS_PER_FILE)],
            "record_payload": ['{"a": 1}'] * ROWS_PER_FILE,
            "operation": ["upsert"] * ROWS_PER_FILE,
            "status": ["succeeded"] * ROWS_PER_FILE,
            "batch_ended_at": [ended_at] * ROWS_PER_FILE,
        }
        pq.write_table(pa.table(columns), folder / f"records.{number}.parquet")


def expected_counts(extra_runs: int) -> dict[str, int]:
    runs = SYNCS * RUNS_PER_SYNC + extra_runs
    rows = runs * FILES_PER_RUN * ROWS_PER_FILE
    return {
        "sync_records": rows,
        "sync_changelog": rows,
        "sync_runs": runs,
        "sync_snapshot": SYNCS * FILES_PER_RUN * ROWS_PER_FILE,
        "audience_memberships": SYNCS * FILES_PER_RUN * ROWS_PER_FILE,
        "lake_file_issues": 0,
    }


def timed_build(folder: Path) -> float:
    """Build with all defaults, including the driver heap; return the wall time in seconds."""
    before = time.monotonic()
    said_by_dbt(folder, "build", "--quiet")
    return time.monotonic() - before


def counts(folder: Path) -> dict[str, int]:
    """The row counts of some tables."""
    parts = [
        f"(select count(*) from {{{{ ref('{table}') }}}}) as {table}"
        for table in expected_counts(0)
    ]
    said = said_by_dbt(
        folder, "show", "--quiet", "--output", "json", "--inline", "select " + ", ".join(parts)
    )
    shown: dict[str, int] = json.loads(said[said.index("{") :])["show"][0]
    return shown
