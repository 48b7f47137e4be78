"""A build of a log that the loader wrote to a lake: it shows no change that was not logged."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Warehouse
from dbt_sync_logs.runner import session
from helpers.project import PROJECT
from sync_logs_loader import LoadConfig, load_log
from sync_logs_loader.sources import read_source

LINE = (
    '{{"sync_run_id":"{run}","record_identifier":"{key}","operation":"upsert","status":"succeeded",'
    '"batch_completed_at":"2026-10-0{run}T06:00:00Z","record_payload":{payload}}}\n'
)


def test_field_changes_are_those_of_the_log(
    warehouse: Callable[..., Warehouse], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBT_PROFILES_DIR", str(PROJECT / "profiles"))
    built = warehouse()
    logs = tmp_path / "logs"
    logs.mkdir()
    same = '{"amount":1,"plan":"pro"}'
    runs = {
        1: {"a": same, "b": '{"amount":2,"note":null}'},
        2: {"a": same, "b": '{"amount":2.5,"note":"late"}'},
    }
    for run, payloads in runs.items():
        lines = [LINE.format(run=run, key=key, payload=text) for key, text in payloads.items()]
        (logs / f"{run}.jsonl").write_text("".join(lines), encoding="utf-8")
    spark = session()
    loaded = load_log(
        spark, read_source(spark, str(logs), "jsonl"), LoadConfig(str(built.lake), "1", "2")
    )
    assert [run.record_count for run in loaded.runs] == [2, 2]
    assert built.dbt("run"), built.failures()
    found = {
        (row["row_id"], row["field_name"]): (
            row["change_type"],
            row["previous_value"],
            row["new_value"],
        )
        for row in built.rows("field_changes")
    }
    assert found == {
        ("b", "amount"): ("changed", "2", "2.5"),
        ("b", "note"): ("changed", None, "late"),
    }
    # The vendor's log has the end of both runs under a known name, so both can settle.
    assert all(row["finished_at"] is not None for row in built.rows("sync_runs"))
