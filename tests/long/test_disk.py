"""A full disk and a read-only disk: dbt reports it in one line, and later builds are right."""

import os
import subprocess
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from helpers.compared_tables import differing_tables
from helpers.killed_builds import build_and_read, lines_until, start, start_of
from helpers.random_histories import Remembered, many_histories
from oracle import COLUMNS, Step
from oracle.random_words import DAY_ONE

AS_OF = tuple(DAY_ONE + timedelta(minutes=minutes) for minutes in (200, 300, 400))
SEEDS = range(400, 404)
DISK_SIZE = "256m"
KIBIBYTE = 1024
SECONDS_TO_WAIT = 30


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """The folder `home` as its own small file system."""
    home = tmp_path / "home"
    home.mkdir()
    failed = mount("-t", "tmpfs", "-o", f"size={DISK_SIZE}", "tmpfs", str(home))
    if failed:
        pytest.skip(f"no file system can be mounted here: {failed}")
    yield home
    subprocess.run(["umount", "--lazy", str(home)], check=True)


def mount(*arguments: str) -> str:
    """Run mount; return its error, or nothing if it succeeded."""
    try:
        outcome = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return outcome.stderr.strip() if outcome.returncode else ""


def remount_read_only(disk: Path) -> None:
    """Make a disk read-only; the JVM of the last build may need a moment to release it."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while failed := mount("-o", "remount,ro", str(disk)):
        assert time.monotonic() < deadline, failed
        time.sleep(0.5)


def said_by_failing_build(folder: Path) -> str:
    """The output of a build that must fail."""
    with start(folder, "build") as process:
        said, _ = process.communicate(timeout=300)
    assert process.returncode not in (0, None), said
    return said


def check_clear(said: str, cause: str) -> None:
    """Assert that a line names the cause and that the output has no stack trace."""
    lines = said.splitlines()
    assert any(cause in line for line in lines), said
    inside = [
        line for line in lines if line.lstrip().startswith(("Traceback", "at org.", "at java"))
    ]
    assert inside == [], said


def build_and_compare(folder: Path, remembered: Remembered, step: Step) -> None:
    built = build_and_read(folder, step.as_of).tables
    assert differing_tables(remembered.tables(step.as_of), built, COLUMNS) == {}


def fill(disk: Path, kibibytes_left: int) -> Path:
    """Fill a disk except for a rest."""
    ballast = disk / "ballast"
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    with ballast.open("wb") as handle:
        left = free - kibibytes_left * KIBIBYTE
        while left > 0:
            left -= handle.write(b"\0" * min(left, KIBIBYTE * KIBIBYTE))
    return ballast


def test_the_next_build_after_a_disk_was_read_only_or_full_is_right(
    tmp_path: Path, disk: Path
) -> None:
    histories = many_histories(SEEDS, AS_OF)
    remembered = Remembered(tmp_path / "lake")
    remembered.step(histories.steps[0])
    build_and_compare(tmp_path, remembered, histories.steps[0])
    remembered.step(histories.steps[1])

    # dbt reports it before Spark starts
    remount_read_only(disk)
    said = said_by_failing_build(tmp_path)
    check_clear(said, f"The folder {disk} cannot be written (Read-only file system). Set")
    assert mount("-o", "remount,rw", str(disk)) == ""
    ballast = fill(disk, kibibytes_left=4)
    said = said_by_failing_build(tmp_path)
    check_clear(said, f"The folder {disk} cannot be written (No space left on device). Make room")
    ballast.unlink()

    # only in the middle of the build: the disk fills up just before the records are written
    with start(tmp_path, "build") as process:
        assert process.stdout is not None
        early = list(lines_until(process, start_of("int_records__landed")))
        ballast = fill(disk, kibibytes_left=0)
        said = "".join([*early, *process.stdout])
    assert process.returncode not in (0, None), said
    check_clear(said, "No space left on device: the disk of")
    ballast.unlink()
    build_and_compare(tmp_path, remembered, histories.steps[1])
