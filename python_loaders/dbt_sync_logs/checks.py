"""What an embedded Spark needs, checked before it starts, each failure one clear line."""

import errno
import fcntl
import os
import re
import shutil
import subprocess
import time
from io import FileIO
from pathlib import Path

OLDEST_JAVA = 17
# A JVM needs a moment to notice that its Python has gone.
SECONDS_TO_WAIT = 15
# Less room than this is too little for any build; more may be too little for a large one.
PROBE_BYTES = 1 << 20
FULL = (errno.ENOSPC, errno.EDQUOT)
# Kept open: closing a file gives up its lock.
_locks: list[FileIO] = []


class EmbeddedSparkError(Exception):
    """The embedded Spark cannot start; the message says why and what to do."""


def make_home(home: Path) -> None:
    """Make the folder of the catalog, the warehouse and the logs, and see that it takes data."""
    try:
        (home / "logs").mkdir(parents=True, exist_ok=True)
        # Not always on one disk, nor of one owner; Derby insists on making its own folder.
        for folder in (home / "logs", home / "warehouse", home / "metastore"):
            if folder.exists():
                _write_and_remove(folder / ".probe")
    except OSError as error:
        mend = "Make room on its disk, or set" if error.errno in FULL else "Set"
        raise EmbeddedSparkError(
            f"The folder {home} cannot be written ({error.strerror}). "
            f"{mend} SYNC_LOGS_HOME to a folder that can."
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


def java_command() -> str | None:
    """The Java that Spark runs on: that of JAVA_HOME, else the first on the path, else none."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else shutil.which("java")


def check_java() -> None:
    """Fail without a Java that Spark runs on."""
    mend = f"Install Java {OLDEST_JAVA} or newer, or point JAVA_HOME at one."
    java = java_command()
    if java is None:
        raise EmbeddedSparkError(f"Java was not found. {mend}")
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise EmbeddedSparkError(f"Java at {java} does not run. {mend}") from None
    version = re.search(r'version "(?:1\.)?(\d+)', told.stderr + told.stdout)
    if version is None or int(version.group(1)) < OLDEST_JAVA:
        found = version.group(1) if version else "of unknown version"
        raise EmbeddedSparkError(f"Java at {java} is {found}, which is too old. {mend}")


def hold_catalog(home: Path) -> None:
    """Take the catalog for this process until it ends: it allows one process at a time."""
    lock = FileIO(home / "build.lock", "a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise EmbeddedSparkError(_in_use(home)) from None
    _locks.append(lock)
    # Not under our lock: a JVM that outlives its Python, or another program with this catalog.
    derby = home / "metastore" / "dbex.lck"
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while _is_locked(derby):
        if time.monotonic() > deadline:
            _locks.remove(lock)
            lock.close()
            raise EmbeddedSparkError(_in_use(home))
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


def _in_use(home: Path) -> str:
    return (
        f"The catalog in {home} is in use by another process. "
        "Wait until it has ended, or set SYNC_LOGS_HOME to another folder."
    )
