import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from dbt_sync_logs.command_line import NAME
from sync_logs_loader import RunKey, cli
from sync_logs_loader.schemas import COLUMN_ALIASES, REQUIRED_RECORD_COLUMNS

from .conftest import (
    log_rows,
    names_below,
    read_batches,
    read_identifiers,
    read_metadata,
    write_jsonl,
)

RUN = RunKey("1", "2", "3")
QUICK = "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
IDS = ["--organization-id", "1", "--sync-id", "2", "--sync-run-id", "3"]


@pytest.fixture(autouse=True)
def _shared_session(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def shared(*_: object) -> Iterator[SparkSession]:
        yield spark

    monkeypatch.setattr(cli, "quiet_session", shared)


def test_load_maps_columns_and_reports_each_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"email": f"{n}@x", "op": "upsert", "status": "succeeded", "n": n} for n in range(3)]
    path = write_jsonl(tmp_path / "log.jsonl", rows)
    lake = tmp_path / "lake"
    mapping = ["--column", "identifier=email", "--column", "operation=op"]
    values = ["--metadata", "model_name=People = all", "--batch-size", "2"]
    code = cli.main(["load", "--lake", str(lake), "--input", path, *IDS, *mapping, *values])
    told = ["run 1/2/3: 3 records in 2 batches", "columns in the payload: n"]
    assert (code, capsys.readouterr().err.splitlines()) == (0, told)
    assert read_identifiers(lake, RUN) == [["0@x", "1@x"], ["2@x"]]
    metadata = read_metadata(lake, RUN)
    assert metadata["model_name"] == "People = all"
    assert metadata["record_payload_schema"] == {"n": "number"}
    assert metadata["sync_run_started_at"] is None


def test_load_tells_what_became_of_each_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {"row_id": "a", "status": "failed", "failure_reason": "full", "fields": '{"n": 1.0}'}
    row |= {"batch_completed_at": "2026-10-01T06:00:20Z", "colour": "red"}
    lake = tmp_path / "lake"
    arguments = ["--input", write_jsonl(tmp_path / "log.jsonl", [row]), *IDS]
    constants = ["--value", "operation=upsert", "--value", "batch_started_at=2026-10-01T06:00:00Z"]
    assert cli.main(["load", "--lake", str(lake), *arguments, *constants]) == 0
    assert capsys.readouterr().err.splitlines()[1:] == [
        "columns under another name: identifier from row_id, record_payload from fields, "
        "status_message from failure_reason, batch_ended_at from batch_completed_at",
        "columns that were not used: colour",
    ]
    ((record,),) = read_batches(lake, RUN)
    assert record | {"sync_configuration_id": "2", "sync_run_id": "3"} == {
        "identifier": "a",
        "record_payload": '{"n": 1.0}',
        "operation": "upsert",
        "status": "failed",
        "status_message": "full",
        "batch_started_at": datetime(2026, 10, 1, 6, 0, tzinfo=timezone.utc),
        "batch_ended_at": datetime(2026, 10, 1, 6, 0, 20, tzinfo=timezone.utc),
        "sync_configuration_id": "2",
        "sync_run_id": "3",
    }


def test_help_says_which_columns_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["load", "--help"])
    told = capsys.readouterr().out
    for canonical in REQUIRED_RECORD_COLUMNS:
        assert re.search(rf"^  {canonical} +needed", told, re.MULTILINE)
    names = [name for names in COLUMN_ALIASES.values() for name in names]
    assert [name for name in names if name not in told] == []


def test_metadata_file_for_single_runs(tmp_path: Path) -> None:
    rows = log_rows(1, organization_id="1", sync_id="2", sync_run_id="3")
    path = write_jsonl(tmp_path / "log.jsonl", rows)
    values = [
        {
            "organization_id": 1,
            "sync_configuration_id": 2,
            "sync_run_id": 3,
            "sync_run_status": "completed",
        }
    ]
    metadata = tmp_path / "values.json"
    metadata.write_text(json.dumps(values), encoding="utf-8")
    lake = tmp_path / "lake"
    arguments = ["--lake", str(lake), "--input", path, "--metadata-file", str(metadata)]
    assert cli.main(["load", *arguments]) == 0
    assert read_metadata(lake, RUN)["sync_run_status"] == "completed"


def test_facts_are_written_as_strings_with_all_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_jsonl(tmp_path / "facts.jsonl", [{"id": 7, "name": "CRM", "colour": "red"}])
    lake = tmp_path / "lake"
    arguments = ["load", "--lake", str(lake), "--organization-id", "1"]
    for _ in range(2):
        assert cli.main([*arguments, "--fact", f"destinations={path}"]) == 0
    told = ["facts destinations of 1: 1 rows"]
    told += ["facts destinations: columns that were not used: colour"]
    assert capsys.readouterr().err.splitlines() == told * 2
    assert names_below(lake) == ["metadata/1/destinations.parquet"]
    table = pq.ParquetFile(lake / "metadata/1/destinations.parquet").read()
    assert table.to_pylist() == [{"id": "7", "type": None, "name": "CRM"}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--input", "{log}", *IDS, "--batch-size", "0"], "Expected a batch size"),
        (["--input", "{log}.absent", *IDS], "Expected to read the parquet source"),
        (["--input", "{log}.absent", *IDS, "--format", "csv"], "Expected to read the csv source"),
        (
            ["--input", "{log}", *IDS, "--generation", "internal_id"],
            "census_sync_tracking_internal_",
        ),
        (["--input", "{log}"], "Expected a column organization_id"),
        (["--input", "{log}", *IDS, "--column", "identifier"], "Expected NAME=VALUE"),
        (["--input", "{log}", *IDS, "--metadata-file", "{log}"], "JSON object of metadata"),
        (["--input", "{log}", *IDS, "--value", "identifier=x"], "Expected a value for one of"),
        (["--input", "{log}", *IDS, "--value", "status=x"], "Expected no value for status"),
        (["--fact", "colours={log}"], "Expected a fact file"),
        ([], "Expected --input, --fact or both"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    path = write_jsonl(tmp_path / "log.jsonl", log_rows(2))
    filled = [argument.replace("{log}", path) for argument in arguments]
    assert cli.main(["load", "--lake", str(tmp_path / "lake"), *filled]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


def test_demo_refuses_a_folder_that_is_no_demo_lake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious.txt").write_text("mine", encoding="utf-8")
    assert cli.main(["demo", "--lake", str(tmp_path)]) == 2
    assert "precious.txt" in capsys.readouterr().err
    assert names_below(tmp_path) == ["precious.txt"]


def test_process_is_quiet_and_leaves_nothing_in_its_folder(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "log.jsonl", log_rows(1))
    command = [str(Path(sys.executable).with_name(NAME)), "load", "--lake", "lake", *IDS]
    result = subprocess.run(
        [*command, "--input", "log.jsonl", "--master", "local[1]", "--conf", QUICK],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "run 1/2/3: 1 records in 1 batches\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lake", "log.jsonl"]
