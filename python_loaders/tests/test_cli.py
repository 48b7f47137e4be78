import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from python_loaders import RunKey, cli
from python_loaders.tests.conftest import (
    log_rows,
    names_below,
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
    assert (code, capsys.readouterr().err) == (0, "run 1/2/3: 3 records in 2 batches\n")
    assert read_identifiers(lake, RUN) == [["0@x", "1@x"], ["2@x"]]
    metadata = read_metadata(lake, RUN)
    assert metadata["model_name"] == "People = all"
    assert metadata["record_payload_schema"] == {"n": "number"}
    assert metadata["sync_run_started_at"] is None


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


def test_facts_are_written_as_strings_with_all_columns(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "facts.jsonl", [{"id": 7, "name": "CRM", "colour": "red"}])
    lake = tmp_path / "lake"
    arguments = ["load", "--lake", str(lake), "--organization-id", "1"]
    for _ in range(2):
        assert cli.main([*arguments, "--fact", f"destinations={path}"]) == 0
    assert names_below(lake) == ["metadata/1/destinations.parquet"]
    table = pq.ParquetFile(lake / "metadata/1/destinations.parquet").read()
    assert table.to_pylist() == [{"id": "7", "type": None, "name": "CRM"}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--input", "{log}", *IDS, "--batch-size", "0"], "Expected a batch size"),
        (["--input", "{log}.absent", *IDS], "Expected to read the parquet source"),
        (["--input", "{log}"], "Expected a column organization_id"),
        (["--input", "{log}", *IDS, "--column", "identifier"], "Expected NAME=VALUE"),
        (["--input", "{log}", *IDS, "--metadata-file", "{log}"], "JSON object of metadata"),
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
    command = [sys.executable, "-m", "python_loaders", "load", "--lake", "lake", *IDS]
    root = str(Path(__file__).parents[2])
    result = subprocess.run(
        [*command, "--input", "log.jsonl", "--master", "local[1]", "--conf", QUICK],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "run 1/2/3: 1 records in 1 batches\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lake", "log.jsonl"]
