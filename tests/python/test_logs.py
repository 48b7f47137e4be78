"""What a build prints and logs holds no customer data: payloads, identifiers, messages."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from project import arguments, environment

# parts of every value that a customer would know; the second can be written as a number
SENTINELS = ("sentinel-7f3a", "737353987654")
# Commands of dbt in one process, as the second need not start a Spark of its own.
RUN_ALL = """
import json, sys
from dbt.cli.main import dbtRunner

for command in json.loads(sys.argv[1]):
    dbtRunner().invoke(command)
"""


def test_no_customer_data_is_logged(tmp_path: Path) -> None:
    write_lake(tmp_path / "lake")
    said = run_dbt(tmp_path, ("build",), ("test", "--select", "tag:full_scan"))
    assert "assert_every_file_is_readable" in said
    assert "assert_no_record_is_lost" in said
    logs = {path: path.read_text(errors="replace") for path in tmp_path.rglob("*.log")}
    assert {"dbt.log", "spark.log"} <= {path.name for path in logs}
    found = {
        (str(path.relative_to(tmp_path)), line[:300])
        for path, text in {**logs, tmp_path / "said": said}.items()
        for line in text.splitlines()
        if any(sentinel in line for sentinel in SENTINELS)
    }
    assert found == set()


def run_dbt(folder: Path, *commands: tuple[str, ...]) -> str:
    """Run dbt as a user would, with all levels of logging as they are by default."""
    given = json.dumps([arguments(folder, *command) for command in commands])
    outcome = subprocess.run(
        [sys.executable, "-c", RUN_ALL, given],
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    return outcome.stdout + outcome.stderr


def write_lake(lake: Path) -> None:
    """Write good, odd and broken files that hold the sentinels in every column; no fact files."""
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
