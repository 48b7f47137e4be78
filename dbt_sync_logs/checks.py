"""Checks of what an embedded Spark needs, before it starts. Each failure is one clear line."""

import errno
import fcntl
import os
import re
import time
from collections.abc import Mapping
from io import FileIO
from pathlib import Path

from .java import JavaError, choose_java

# What sets the folder of the catalog: in a clone, and in the profile of another project.
HOME_VARIABLE = "SYNC_LOGS_HOME"
SCHEMA_VARIABLE = "SYNC_LOGS_SCHEMA"
CATALOG_SETTING = "spark.hadoop.javax.jdo.option.ConnectionURL"
HOME_IN_PROFILE = f"{CATALOG_SETTING} in your profile"
CLASS_PATH = "spark.driver.extraClassPath"
JARS_VARIABLE = "SYNC_LOGS_JARS"
KEY_PROVIDER = "spark.hadoop.fs.s3a.aws.credentials.provider"
ENVIRONMENT_PROVIDER = (
    "software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider"
)
KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
# Characters that the path of a catalog or a warehouse cannot have, each with the reason.
UNUSABLE = {
    **dict.fromkeys("?*{[\\", "Spark reads as a pattern"),
    **dict.fromkeys(";", "Derby reads as the end of the path"),
    **dict.fromkeys("\n\r", "ends a line"),
}
# A JVM needs a moment to notice that its Python has ended.
SECONDS_TO_WAIT = 15
# Less space than this is too little for any build; more may be too little for a large one.
PROBE_BYTES = 1 << 20
FULL = (errno.ENOSPC, errno.EDQUOT)
# Kept open: closing a file gives up its lock.
_locks: list[FileIO] = []


class EmbeddedSparkError(Exception):
    """The embedded Spark cannot start; the message says why and what to do."""


def check_path(home: Path, named_by: str = HOME_VARIABLE) -> None:
    """Fail if Spark or Derby would misread the folder's path."""
    for character, why in UNUSABLE.items():
        if character in str(home):
            raise EmbeddedSparkError(
                f"The path {str(home)!r} has the character {character!r}, which {why}. "
                f"Set {named_by} to a folder without it."
            )


def check_schema(schema: str, is_clone: bool = True) -> None:
    """Fail if Spark's own catalog, which takes only plain names, cannot have the schema."""
    if not re.fullmatch(r"\w*[A-Za-z_]\w*", schema, re.ASCII):
        raise EmbeddedSparkError(
            f"The schema {schema!r} is not a name that Spark's catalog takes. Set "
            f"{SCHEMA_VARIABLE if is_clone else 'the schema in your profile'} to one of letters "
            "(a to z), digits and underscores."
        )


def check_jars(settings: Mapping[str, str], is_clone: bool = True) -> None:
    """Fail if a folder on the class path, written as `folder/*`, has no jars."""
    for entry in settings.get(CLASS_PATH, "").split(":"):
        folder = Path(entry.removesuffix("/*"))
        if entry.endswith("/*") and not any(folder.glob("*.jar")):
            remedy = (
                f"Run `make jars FORMAT={folder.name}`, or set {JARS_VARIABLE} to a folder with it"
                if is_clone
                else f"Put them there, or correct {CLASS_PATH} in your profile"
            )
            raise EmbeddedSparkError(
                f"The folder {folder.absolute()} has no jars, which this target needs. {remedy}."
            )


def check_keys(settings: Mapping[str, str]) -> None:
    """Fail if the keys of an object store can come from the environment only and are not there."""
    absent = [name for name in KEYS if not os.environ.get(name)]
    if absent and settings.get(KEY_PROVIDER) == ENVIRONMENT_PROVIDER:
        raise EmbeddedSparkError(
            f"This target reads the keys of the object store from {' and '.join(KEYS)}, but "
            f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not set. Set both."
        )


def make_home(home: Path, named_by: str = HOME_VARIABLE) -> None:
    """Create the folder of the catalog, the warehouse and the logs, and check it is writable."""
    try:
        (home / "logs").mkdir(parents=True, exist_ok=True)
        # They can have different disks and owners; Derby insists on creating its own folder.
        for folder in (home / "logs", home / "warehouse", home / "metastore"):
            if folder.exists():
                _write_and_remove(folder / ".probe")
    except OSError as error:
        remedy = "Make room on its disk, or set" if error.errno in FULL else "Set"
        raise EmbeddedSparkError(
            f"The folder {home} cannot be written ({error.strerror}). "
            f"{remedy} {named_by} to a writable folder."
        ) from None


def _write_and_remove(probe: Path) -> None:
    try:
        with probe.open("wb") as opened:
            opened.write(b"\0" * PROBE_BYTES)
            opened.flush()
            # Some file systems notice only now that they are full
            os.fsync(opened.fileno())
    finally:
        probe.unlink(missing_ok=True)


def check_java() -> str | None:
    """Fail without a Java that Spark runs on; returns a line to print if it is not the first."""
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
    # Our lock does not cover a JVM that outlives its Python, or another program on this catalog.
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
        f"The catalog in {home} is in use by another process. Wait until it has ended, build "
        "in its Spark if it is `make serve` (docs/operations.md), or set "
        f"{named_by} to another folder."
    )
