import hashlib
import json
from collections import defaultdict
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from sync_logs_demo.lake import MARKER, DemoSummary, write_demo_lake
from sync_logs_demo.simulation import DemoRun, LoggedRow, simulate
from sync_logs_demo.syncs import ATLAS, BASE_RUNS, BOREALIS, DEMO_SYNCS, FIRST_START
from sync_logs_loader.errors import ConfigError, DemoLakeError
from sync_logs_loader.filesystem import LakeFiles

from .conftest import names_below, read_batches, read_metadata, run_path

MESSAGES = ("NOT NULL constraint", "UNIQUE constraint", "CHECK constraint", "FOREIGN KEY")


@pytest.fixture(scope="module")
def lake(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "lake"
    write_demo_lake(spark, str(folder))
    return folder


@pytest.fixture(scope="module")
def runs() -> list[DemoRun]:
    return [run for sync in DEMO_SYNCS for run in simulate(sync, BASE_RUNS)]


def rows_of(runs: list[DemoRun]) -> list[LoggedRow]:
    return [row for run in runs for row in run.rows]


def digests(folder: Path) -> dict[str, str]:
    return {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in names_below(folder)
    }


def test_lake_holds_what_was_simulated(lake: Path, runs: list[DemoRun]) -> None:
    for run in runs:
        key = run.sync.run_key(run.number)
        stored = [row for batch in read_batches(lake, key) for row in batch]
        assert [(row["identifier"], row["status"], row["batch_ended_at"]) for row in stored] == [
            (row.identifier, row.status, row.batch_ended_at) for row in run.rows
        ]
        assert (run_path(lake, key) / "metadata.json").exists() is run.sync.has_metadata


def test_demo_is_the_same_every_time_and_can_grow(
    spark: SparkSession, lake: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    first = write_demo_lake(spark, str(copy), more_runs=1)
    grown = digests(copy)
    base = digests(lake)
    assert base.items() <= grown.items()
    # one sync has ended
    assert first.run_count == first.runs_written == len(DEMO_SYNCS) * (BASE_RUNS + 1) - 1
    again = write_demo_lake(spark, str(copy))
    assert again == DemoSummary(str(copy), 0, 0, first.run_count, len(DEMO_SYNCS), BASE_RUNS + 1)
    assert digests(copy) == grown


def test_demo_writes_what_is_missing(spark: SparkSession, lake: Path) -> None:
    before = digests(lake)
    run = run_path(lake, DEMO_SYNCS[0].run_key(3))
    next(run.glob("*.parquet")).unlink()
    assert write_demo_lake(spark, str(lake)).runs_written == 1
    assert digests(lake) == before


def test_foreign_folders_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(DemoLakeError, match="holds mine and no"):
        write_demo_lake(spark, str(tmp_path))
    (tmp_path / MARKER).write_text("{}", encoding="utf-8")
    (tmp_path / "sync_tracking_datasets/501/3001/9961").mkdir(parents=True)
    with pytest.raises(DemoLakeError, match="has a run '9961'"):
        write_demo_lake(spark, str(tmp_path))
    with pytest.raises(ConfigError, match="0 or more further runs, but got -1"):
        write_demo_lake(spark, str(tmp_path / "new"), -1)
    assert not LakeFiles(spark, str(tmp_path / "new")).exists()


def test_organisations_share_ids(runs: list[DemoRun]) -> None:
    ids = defaultdict(set)
    for run in runs:
        key = run.sync.run_key(run.number)
        ids[key.organization_id].add((key.sync_id, key.sync_run_id, run.sync.destination_id))
    assert ids[BOREALIS] < ids[ATLAS]
    assert {run.sync.mode for run in runs} == {"upsert", "update", "audience", "mirror", "append"}
    assert all(sync.started_at(1) >= FIRST_START for sync in DEMO_SYNCS)
    assert DEMO_SYNCS[0].started_at(14) - DEMO_SYNCS[0].started_at(1) == timedelta(days=13)


def test_order_of_runs_is_not_the_order_of_their_ids_as_text() -> None:
    ids = [DEMO_SYNCS[0].run_key(number).sync_run_id for number in range(1, BASE_RUNS + 1)]
    assert sorted(ids, key=int) == ids != sorted(ids)


def test_all_statuses_operations_and_messages_occur(runs: list[DemoRun]) -> None:
    rows = rows_of(runs)
    statuses = {row.status for row in rows}
    assert statuses == {"succeeded", "rejected", "NULL", "DUPLICATE", "aborted"}
    operations = {row.operation for row in rows}
    assert operations == {"upsert", "update", "mirror", "append", "delete"}
    assert {row.identifier is None for row in rows if row.status == "NULL"} == {True}
    refused = {str(row.status_message) for row in rows if row.status == "rejected"}
    assert all(message.startswith(MESSAGES) for message in refused)
    assert all(any(text.startswith(message) for text in refused) for message in MESSAGES)
    assert {row.status_message for row in rows if row.status == "succeeded"} == {None}


def test_one_run_breaks_off_and_one_is_going(lake: Path, runs: list[DemoRun]) -> None:
    (broken,) = [run for run in runs if run.failure]
    metadata = read_metadata(lake, broken.sync.run_key(broken.number))
    assert metadata["sync_run_status"] == "failed"
    assert metadata["sync_run_error"] == "attempt to write a readonly database"
    assert [row.status for row in broken.rows][-1] == "aborted"
    assert "succeeded" in [row.status for row in broken.rows]
    (going,) = [run for run in runs if not run.is_finished]
    metadata = read_metadata(lake, going.sync.run_key(going.number))
    assert {"sync_run_finished_at", "sync_run_status"}.isdisjoint(metadata)
    assert going.number == BASE_RUNS
    assert going.rows


def test_retries_succeed_in_the_same_run_and_in_later_runs(runs: list[DemoRun]) -> None:
    attempts: dict[object, list[LoggedRow]] = defaultdict(list)
    for row in rows_of(runs):
        if row.operation == "upsert" and row.status in ("succeeded", "rejected"):
            attempts[(row.key.organization_id, row.key.sync_id, row.identifier)].append(row)
    pairs = [
        (first, second)
        for rows in attempts.values()
        for first, second in pairwise(rows)
        if (first.status, second.status) == ("rejected", "succeeded")
    ]
    same_run = [pair for pair in pairs if pair[0].key == pair[1].key]
    assert same_run
    assert len(same_run) < len(pairs)
    assert all(first.batch_ended_at < second.batch_ended_at for first, second in pairs)
    assert all(str(first.status_message).startswith("UNIQUE") for first, _ in same_run)


def test_audiences_have_entries_exits_and_returns(runs: list[DemoRun]) -> None:
    story: dict[object, list[str]] = defaultdict(list)
    for row in rows_of(runs):
        if row.key.sync_id == "3003" and row.status == "succeeded":
            story[(row.key.organization_id, row.identifier)].append(row.operation)
    texts = [" ".join(operations) for operations in story.values()]
    assert any(text.endswith("delete") for text in texts)
    assert any("delete upsert" in text for text in texts)


def test_a_new_column_makes_a_sync_send_every_row_in_each_run(runs: list[DemoRun]) -> None:
    counts = []
    for run in runs:
        if (run.sync.organization_id, run.sync.sync_id) == (ATLAS, "3002"):
            payloads = [json.loads(row.record_payload) for row in run.rows]
            counts.append((len(payloads), sum("exported_on" in one for one in payloads)))
    assert all(total < 100 and exported == 0 for total, exported in counts[1:10])
    assert all(total == exported > 300 for total, exported in counts[10:])


def test_generations_facts_and_run_without_records(lake: Path, runs: list[DemoRun]) -> None:
    columns = {
        tuple(pq.ParquetFile(path).schema_arrow.names[7:])
        for path in lake.rglob("records*.parquet")
    }
    assert columns == {
        ("census_sync_tracking_internal_id",),
        (),
        ("sync_configuration_id", "sync_run_id"),
    }
    kinds = {
        kind
        for path in lake.rglob("metadata.json")
        for kind in json.loads(path.read_text(encoding="utf-8"))["record_payload_schema"].values()
    }
    assert kinds == {"string", "number", "boolean", "array"}
    (empty,) = [run for run in runs if not run.rows]
    folder = run_path(lake, empty.sync.run_key(empty.number))
    assert names_below(folder) == ["metadata.json"]
    for organization in (ATLAS, BOREALIS):
        path = lake / "metadata" / organization / "destinations.parquet"
        ids = [row["id"] for row in pq.ParquetFile(path).read().to_pylist()]
        used = {s.destination_id for s in DEMO_SYNCS if s.organization_id == organization}
        assert used <= set(ids)
    assert [sync.split_group_field for sync in DEMO_SYNCS].count("split_group") == 1
