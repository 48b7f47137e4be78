"""A lake that has moved: refused unless it is said, and then nothing is read again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from conftest import Warehouse
from oracle import random_history, write_all


def test_a_moved_lake_is_read_on_from_where_it_is_now(
    warehouse: Callable[[], Warehouse], tmp_path: Path
) -> None:
    built = warehouse()
    write_all(built.lake, random_history(1))
    assert built.dbt("run"), built.failures()
    records = len(built.rows("sync_records"))
    moved = replace(built, lake=built.lake.rename(tmp_path / "elsewhere"))
    assert not moved.dbt("run")
    assert "was built from" in moved.failures()
    assert moved.dbt("run", variables="sync_logs_lake_moved: true"), moved.failures()
    last = max(moved.rows("sync_loads"), key=lambda load: str(load["started_at"]))
    assert (last["new_file_count"], last["vanished_file_count"]) == (0, 0)
    assert len(moved.rows("sync_records")) == records
