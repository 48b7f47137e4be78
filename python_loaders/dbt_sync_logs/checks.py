"""What an embedded Spark needs, checked before it starts, each failure one clear line."""

import errno
import fcntl
import os
import time
from io import FileIO
from pathlib import Path

from .java import JavaError, choose_java

# What names the folder of the catalog: in a clone, and in the profile of anybody else.
HOME_VARIABLE = "SYNC_LOGS_HOME"
CATALOG_SETTING = "spark.hadoop.javax.jdo.option.ConnectionURL"
HOME_IN_PROFILE = f"{CATALOG_SETTING} in your profile"
# Characters that no path of a catalog or a warehouse can have, each with what takes it otherwise.
UNUSABLE = {
    **dict.fromkeys("?*{[\\", "Spark takes for a pattern"),
    **dict.fromkeys(";", "Derby takes for the end of the path"),
    **dict.fromkeys("\n\r", "ends a line"),
}
# A JVM needs a moment to notice that its Python has gone.
SECONDS_TO_WAIT = 15
# Less room than this is too little for any build; more may be too little for a large one.
PROBE_BYTES = 1 << 20
FULL = (errno.ENOSPC, errno.EDQUOT)
# Kept open: closing a file gives up its lock.
_locks: list[FileIO] = []


class EmbeddedSparkError(Exception):
    """The embedded Spark cannot start; the message says why and what to do."""


def check_path(home: Path, named_by: str = HOME_VARIABLE) -> None:
    """Fail on a folder that no catalog can have, for what its path means to Spark or Derby."""
    for character, why in UNUSABLE.items():
        if character in str(home):
            raise EmbeddedSparkError(
                f"The path {str(home)!r} has the character {character!r}, which {why}. "
                f"Set {named_by} to a folder without it."
            )


def make_home(home: Path, named_by: str = HOME_VARIABLE) -> None:
    """Make the folder of the catalog, the warehouse and the logs, and see that it takes data."""
    try:
        (home / "logs").mkdir(parents=True, exist_ok=True)
        # Not always on one disk, nor of one owner; Derby insists on making its own folder.
        for folder in (home / "logs", home / "warehouse", home / "metastore"):
            if folder.exists():
                _write_and_remove(folder / ".probe")
    except OSError as error:
        remedy = "Make room on its disk, or set" if error.errno in FULL else "Set"
        raise EmbeddedSparkError(
            f"The folder {home} cannot be written ({error.strerror}). "
            f"{remedy} {named_by} to a folder that can."
        ) from None


def _write_and_remove(probe: Path) -> None:
    try:
        with probe.open("wb") as opened:
            opened.write(b"\0" * PROBE_BYTES)
            opened.flush()
            # Some file systems notice only then that they are full
            os.fsync(opened.fileno())
    finally:
        probe.unlink(missing_ok=True)


def check_java() -> str | None:
    """Fail without a Java that Spark runs on; returns a line to tell if it is not the first."""
    try:
        return choose_java()
    except JavaError as error:
        raise EmbeddedSparkError(str(error)) from None


def hold_catalog(home: Path, named_by: str = HOME_VARIABLE) -> None:
    """Take the catalog for this process until it ends: it allows one process at a time."""
    lock = FileIO(home / "build.lock", "a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise EmbeddedSparkError(_in_use(home, named_by)) from None
    _locks.append(lock)
    # Not under our lock: a JVM that outlives its Python, or another program with this catalog.
    derby = home / "metastore" / "dbex.lck"
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while _is_locked(derby):
        if time.monotonic() > deadline:
            _locks.remove(lock)
            lock.close()
            raise EmbeddedSparkError(_in_use(home, named_by))
        time.sleep(0.2)


def _is_locked(file: Path) -> bool:
    if not file.exists():
        return False
    with FileIO(file, "r+") as opened:
        try:
            # Java locks files the POSIX way
            fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        return False


def _in_use(home: Path, named_by: str) -> str:
    return (
        f"The catalog in {home} is in use by another process. "
        f"Wait until it has ended, or set {named_by} to another folder."
    )
