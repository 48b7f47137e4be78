"""A build that is killed at any moment costs nothing but its own time: the next one is right."""

import os
import pickle
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

from histories import Remembered, many_histories
from oracle import COLUMNS, differences
from oracle.random_words import DAY_ONE

PROJECT = Path(__file__).resolve().parents[2]
AS_OF = tuple(DAY_ONE + timedelta(minutes=minutes) for minutes in (300, 500))
# in the first build ever, in the middle; in the second, with all loaded and nothing committed
MOMENTS = ("int_changelog__built", "sync_load_current")


def test_a_killed_build_leaves_nothing_to_repair(tmp_path: Path) -> None:
    histories = many_histories(range(200, 208), AS_OF)
    lake = tmp_path / "lake"
    remembered = Remembered(lake)
    for step, moment in zip(histories.steps, MOMENTS, strict=True):
        remembered.step(step)
        kill_when_it_starts(tmp_path, moment)
        built = build_and_read(tmp_path, step.as_of)
        expected = remembered.tables(step.as_of)
        for table, columns in COLUMNS.items():
            rows = built[table]
            shown = [column for column in columns if not rows or column in rows[0]]
            assert differences(expected[table], rows, shown) == [], (moment, table)


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "SYNC_LOGS_HOME": str(folder / "home"),
        "SYNC_LOGS_LAKE_PATH": str(folder / "lake"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


def kill_when_it_starts(folder: Path, model: str) -> None:
    """Start a build and kill it the moment that it begins to build a model."""
    command = [sys.executable, "-m", "dbt.cli.main", "run", "--project-dir", str(PROJECT)]
    command += ["--profiles-dir", str(PROJECT / "profiles"), "--no-use-colors"]
    command += ["--target-path", str(folder / "target"), "--log-path", str(folder / "logs")]
    with subprocess.Popen(
        command, env=environment(folder), stdout=subprocess.PIPE, text=True
    ) as build:
        assert build.stdout is not None
        seen = []
        for line in build.stdout:
            seen.append(line)
            if "START" in line and line.split("START")[1].split()[3].endswith(f".{model}"):
                build.send_signal(signal.SIGKILL)
                break
        assert build.wait() == -signal.SIGKILL, "".join(seen)


def build_and_read(folder: Path, as_of: datetime) -> dict[str, list[dict[str, object]]]:
    """Build in a process of its own, as a user would, and read all tables."""
    script = Path(__file__).with_name("build_and_read.py")
    arguments = [sys.executable, str(script), str(folder), as_of.isoformat()]
    subprocess.run(arguments, env=environment(folder), check=True)
    tables: dict[str, list[dict[str, object]]] = pickle.loads(
        (folder / "tables.pickle").read_bytes()
    )
    return tables
