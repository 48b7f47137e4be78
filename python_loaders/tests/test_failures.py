from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from sync_logs_loader import LoadConfig, RunKey, SyncLogsLoaderError, load_facts, load_log
from sync_logs_loader.errors import (
    ConfigError,
    InvalidRecordsError,
    MissingColumnError,
    SourceError,
    WriteError,
)
from sync_logs_loader.filesystem import LakeFiles
from sync_logs_loader.sources import read_source

from .conftest import Rows, log_rows, names_below, read_identifiers

RUN = RunKey("1", "2", "3")
Move = Callable[[LakeFiles, str, str], None]


def load(spark: SparkSession, lake: Path, rows: Rows, **values: Any) -> None:
    config = LoadConfig(str(lake), "1", "2", "3", **values)
    load_log(spark, spark.createDataFrame(rows), config)


def fail_at(move: Move, name: str, error: BaseException) -> Move:
    def failing(files: LakeFiles, source: str, target: str) -> None:
        if target.endswith(name):
            raise error
        move(files, source, target)

    return failing


@pytest.mark.parametrize("error", [OSError("disk is gone"), KeyboardInterrupt()])
def test_failing_rename_leaves_the_old_run(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    load(spark, tmp_path, log_rows(4), batch_size=2)
    before = read_identifiers(tmp_path, RUN)
    failing = fail_at(LakeFiles.move, "records_updated.2.parquet", error)
    monkeypatch.setattr(LakeFiles, "move", failing)
    with pytest.raises((WriteError, KeyboardInterrupt)):
        load(spark, tmp_path, log_rows(9), batch_size=3)
    assert read_identifiers(tmp_path, RUN) == before
    assert not list(tmp_path.glob("_*"))


def test_run_that_cannot_be_put_back_is_kept_aside(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(spark, tmp_path, log_rows(4))
    failing = fail_at(LakeFiles.move, ".parquet", OSError("disk is gone"))
    failing = fail_at(failing, "/2/3", OSError("disk is gone"))
    monkeypatch.setattr(LakeFiles, "move", failing)
    with pytest.raises(OSError, match="disk is gone"):
        load(spark, tmp_path, log_rows(9))
    assert len(list(tmp_path.glob("_loading-*/replaced/0/*.parquet"))) == 1


def test_failure_before_the_first_rename_changes_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    load(spark, tmp_path, log_rows(4))
    before = names_below(tmp_path)
    with pytest.raises(InvalidRecordsError, match="an operation in every row, but 1 of 3 rows"):
        load(spark, tmp_path, [*log_rows(2), log_rows(1)[0] | {"operation": None}])
    assert names_below(tmp_path) == before


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"status": None}, "Expected a status in every row with an identifier, but 1 of 2"),
        ({"batch_ended_at": "yesterday"}, "Expected ISO 8601 batch times, but 1 of 2"),
    ],
)
def test_bad_rows_are_counted(
    spark: SparkSession, tmp_path: Path, row: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidRecordsError, match=message):
        load(spark, tmp_path, [*log_rows(1), log_rows(1)[0] | row])
    ids = {"organization_id": "1", "sync_id": "2", "sync_run_id": "3"}
    log = spark.createDataFrame([rows | ids for rows in (*log_rows(1), log_rows(1)[0] | row)])
    with pytest.raises(InvalidRecordsError, match=message):
        load_log(spark, log, LoadConfig(str(tmp_path)))
    assert names_below(tmp_path) == []


def test_null_key_without_a_status_is_a_record(spark: SparkSession, tmp_path: Path) -> None:
    load(spark, tmp_path, [*log_rows(1), log_rows(1)[0] | {"identifier": None, "status": None}])
    assert read_identifiers(tmp_path, RUN) == [["id-0", None]]


def test_number_as_time_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordsError, match="'batch_ended_at', but it has the type bigint"):
        load(spark, tmp_path, log_rows(1, batch_ended_at=1_790_000_000))


@pytest.mark.parametrize("has_ids", [True, False])
def test_empty_log_is_refused(spark: SparkSession, tmp_path: Path, has_ids: bool) -> None:
    schema = (
        "identifier string, operation string, status string, "
        "organization_id string, sync_id string, sync_run_id string"
    )
    ids = ("1", "2", "3") if has_ids else ()
    with pytest.raises(InvalidRecordsError, match="but the input is empty"):
        load_log(spark, spark.createDataFrame([], schema), LoadConfig(str(tmp_path), *ids))


def test_row_without_a_run_id_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    rows = [log_rows(1, sync_run_id=run)[0] for run in ("a", None)]
    with pytest.raises(InvalidRecordsError, match="but 1 rows lack one"):
        load_log(spark, spark.createDataFrame(rows), LoadConfig(str(tmp_path), "1", "2"))


def test_missing_column_is_named_with_those_present(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(MissingColumnError, match="identifier, but the log has only: operation"):
        load(spark, tmp_path, [{"operation": "upsert", "status": "succeeded"}])
    with pytest.raises(MissingColumnError, match=r"identifier \(mapped to 'email'\)"):
        load(spark, tmp_path, log_rows(1), columns={"identifier": "email"})


def test_ids_that_are_no_folder_names_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    rows = log_rows(1, organization_id="1", sync_id="2", sync_run_id="../3")
    with pytest.raises(ConfigError, match="a sync run id that can be a folder name"):
        load_log(spark, spark.createDataFrame(rows), LoadConfig(str(tmp_path)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"batch_size": 0}, "Expected a batch size from 1 to 100000, but got 0"),
        ({"batch_size": 100_001}, "but got 100001"),
        ({"batch_type": "a/b"}, "Expected a batch type"),
        ({"organization_id": "_hidden"}, "Expected an organization id"),
        ({"columns": {"key": "x"}}, "Expected a column mapping for one of identifier"),
        ({"metadata": {"colour": "red"}}, "Expected a metadata key out of workspace_id"),
        ({"metadata": {"sync_run_id": "1"}}, "ids come from the run itself"),
    ],
)
def test_config_is_checked_when_made(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        LoadConfig("lake", **values)


def test_source_errors_are_one_line(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="Expected to read the parquet source") as caught:
        read_source(spark, str(tmp_path / "absent"), "parquet")
    assert "\n" not in str(caught.value)
    with pytest.raises(ConfigError, match="Expected a format out of jsonl"):
        read_source(spark, "x", "xml")


def test_damaged_input_is_a_loader_error(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "log.parquet"
    spark.createDataFrame(log_rows(3)).coalesce(1).write.parquet(str(source))
    log = read_source(spark, str(source), "parquet")
    for path in source.glob("part-*"):
        path.write_bytes(b"PAR1 no more PAR1")
    with pytest.raises(WriteError) as caught:
        load_log(spark, log, LoadConfig(str(tmp_path / "lake"), "1", "2", "3"))
    assert "\n" not in str(caught.value)
    assert names_below(tmp_path / "lake") == []


def test_unknown_file_system_is_a_loader_error(spark: SparkSession) -> None:
    with pytest.raises(WriteError, match="whose file system Spark knows"):
        LakeFiles(spark, "nosuchscheme://bucket/lake")


def test_facts_errors(spark: SparkSession, tmp_path: Path) -> None:
    facts = spark.createDataFrame([("1", None)], "name string, id string")
    with pytest.raises(ConfigError, match="Expected a fact file out of"):
        load_facts(spark, facts, str(tmp_path), "colours", "1")
    with pytest.raises(InvalidRecordsError, match=r"with an id .* but 1 of 1 rows lack one"):
        load_facts(spark, facts, str(tmp_path), "destinations", "1")
    with pytest.raises(InvalidRecordsError, match="rows of destinations, but the input is empty"):
        load_facts(spark, facts.limit(0), str(tmp_path), "destinations", "1")
    with pytest.raises(MissingColumnError, match="organization_id in the facts"):
        load_facts(spark, facts, str(tmp_path), "destinations")
    nobody = spark.createDataFrame([(None, "7"), ("1", "8")], "organization_id string, id string")
    with pytest.raises(InvalidRecordsError, match="but 1 of 2 rows lack one"):
        load_facts(spark, nobody, str(tmp_path), "destinations")
    source = tmp_path / "facts.csv"
    source.write_text("id,name\n7,CRM,x\n", encoding="utf-8")
    with pytest.raises(InvalidRecordsError, match="but 1 rows have more or fewer"):
        load_facts(
            spark, read_source(spark, str(source), "csv"), str(tmp_path), "destinations", "1"
        )
    assert issubclass(MissingColumnError, SyncLogsLoaderError)
