"""If one dbt command writes to a schema of a server, a second one does not start."""

import fcntl
from pathlib import Path
from types import SimpleNamespace

import pytest

from dbt_sync_logs.checks import EmbeddedSparkError
from dbt_sync_logs.one_build import LOCK_FILE, hold_schema


def command(which: str, macro: str | None = None) -> SimpleNamespace:
    return SimpleNamespace(WHICH=which, MACRO=macro)


def profile(lock: Path) -> SimpleNamespace:
    return SimpleNamespace(schema="logs", server_side_parameters={LOCK_FILE: str(lock)})


def test_the_second_command_that_writes_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "home" / "logs.lock"
    lock.parent.mkdir()
    with lock.open("a+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        for writing in ("build", "run", "retry", "seed"):
            with pytest.raises(EmbeddedSparkError, match=r"is writing to the schema logs of this"):
                hold_schema(profile(lock), command(writing))
        with pytest.raises(EmbeddedSparkError, match="Wait until it has ended"):
            hold_schema(profile(lock), command("run-operation", "sync_logs.purge_record"))
        # commands that only read are allowed meanwhile
        for looking in ("show", "test", "compile"):
            hold_schema(profile(lock), command(looking))
        hold_schema(profile(lock), command("run-operation", "sync_logs.sync_logs_doctor"))
    # the operating system releases the lock when its process ends
    hold_schema(profile(lock), command("build"))
    hold_schema(profile(lock), command("build"))
    with lock.open("a+") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_profile_without_a_lock_file_is_left_alone() -> None:
    hold_schema(SimpleNamespace(schema="logs", server_side_parameters=None), command("build"))


def test_a_lock_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with pytest.raises(EmbeddedSparkError, match=f"Set {LOCK_FILE} in the profile to a file"):
        hold_schema(profile(tmp_path / "home" / "logs.lock"), command("build"))
