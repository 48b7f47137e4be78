"""The output and logs of a build contain no customer data: payloads, identifiers, messages."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dbt.cli.main import dbtRunner

from helpers.project import arguments

# every customer value contains one of these; the second can be written as a number
SENTINELS = ("sentinel-7f3a", "737353987654")


def test_no_customer_data_is_logged(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SYNC_LOGS_SCHEMA", "logged")
    monkeypatch.setenv("SYNC_LOGS_LAKE_PATH", str(tmp_path / "lake"))
    write_lake(tmp_path / "lake")
    # as a user runs them, with the default log levels
    for command in (("build",), ("test", "--select", "tag:full_scan")):
        dbtRunner().invoke(arguments(tmp_path, *command))
    captured = capfd.readouterr()
    said = captured.out + captured.err
    assert "assert_every_file_is_readable" in said
    assert "assert_no_record_is_lost" in said
    # the output of the JVM goes to Spark's log
    logs = {file: file.read_text(errors="replace") for file in log_files(tmp_path, home)}
    assert {"dbt.log", "spark.log"} <= {file.name for file in logs}
    found = {
        (file.name, line[:300])
        for file, text in {**logs, tmp_path / "said": said}.items()
        for line in text.splitlines()
        if any(sentinel in line for sentinel in SENTINELS)
    }
    assert found == set()


def log_files(*folders: Path) -> list[Path]:
    return [file for folder in folders for file in folder.rglob("*.log")]


def write_lake(lake: Path) -> None:
    """Write good, unusual and broken files with the sentinels in every column; no fact files."""
    run = lake / "sync_tracking_datasets" / "org" / "sync" / "run"
    run.mkdir(parents=True)
    text = [f"{SENTINELS[0]} {number}" for number in range(3000)]
    texts = dict.fromkeys(("identifier", "record_payload", "status_message"), text)
    known = {"operation": ["upsert"] * 3000, "status": ["rejected"] * 3000}
    number = int(SENTINELS[1])
    files = {
        "good.1": {**texts, **known},
        "unknown words.2": {**texts, "operation": text, "status": text},
        "numbers.3": {**texts, **known, "identifier": [number] * 3000},
        "floats.4": {**texts, **known, "identifier": [number + 0.5] * 3000},
        "no times.5": {**texts, **known, "batch_ended_at": text},
        "no moment.6": {**texts, **known, "batch_ended_at": [{"at": one} for one in text]},
        "map.7": {**texts, **known, "record_payload": [{"key": one} for one in text]},
        "list.8": {**texts, **known, "identifier": [[one] for one in text]},
    }
    for name, columns in files.items():
        pq.write_table(pa.table(columns), run / f"{name}.parquet", row_group_size=1000)
    whole = (run / "good.1.parquet").read_bytes()
    (run / "text.9.parquet").write_text(SENTINELS[0])
    (run / "cut.10.parquet").write_bytes(whole[:-100])
    (run / "middle.11.parquet").write_bytes(
        whole[: len(whole) // 3] + bytes(2000) + whole[len(whole) // 3 + 2000 :]
    )
    (run / "metadata.json").write_text(f'{{"model_name": "{SENTINELS[0]}"')
