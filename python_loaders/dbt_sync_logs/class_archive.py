"""An archive of Spark's classes as Java has parsed and checked them, for a faster start.

Java calls it class data sharing. The first `make demo` of an environment leaves the archive in
its folder, and each embedded Spark of that environment reads it. Java itself sees whether it was
written by the same Java from the same files, and does without it if not.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark import SparkContext

ARCHIVE = Path(sys.prefix) / "spark-classes.jsa"
# What Java says of classes that it leaves out, or of an archive that does not fit, helps nobody.
QUIET = "-Xlog:cds=off -Xlog:cds+dynamic=off"
SECONDS_TO_WRITE = 300
_is_to_be_left = False


def java_options() -> str:
    """The options for the Java of an embedded Spark; none without an archive to read or write."""
    if ARCHIVE.exists():
        return f"-XX:SharedArchiveFile={quoted(ARCHIVE)} {QUIET}"
    if _is_to_be_left:
        return f"-XX:ArchiveClassesAtExit={quoted(_unfinished())} {QUIET}"
    return ""


def quoted(path: Path) -> str:
    """A path as a part of Spark's settings of Java options."""
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


@contextmanager
def left_behind() -> Iterator[None]:
    """Leave an archive of what the embedded Spark of this block has loaded, if there is none yet.

    The block has to start that Spark, which ends with the block. Without an archive nothing is lost
    but time, so a Java that cannot write one is no failure.
    """
    global _is_to_be_left
    _is_to_be_left = not ARCHIVE.exists()
    try:
        yield
        context, gateway = SparkContext._active_spark_context, SparkContext._gateway
        if _is_to_be_left and context is not None and gateway is not None:
            print(f"\nKeeping Spark's classes for a faster start, once: {ARCHIVE} ...", flush=True)
            context.stop()
            if _end_java(gateway) == 0 and _unfinished().exists():
                _publish()
    finally:
        _is_to_be_left = False


def _unfinished() -> Path:
    return ARCHIVE.with_suffix(".new")


def _publish() -> None:
    # Java ends at once if the archive is cut off: it must be whole under its name, come what may
    with _unfinished().open("rb") as written:
        os.fsync(written.fileno())
    _unfinished().replace(ARCHIVE)


def _end_java(gateway: Any) -> int | None:
    """End the JVM as the end of this process would, and wait until it has written the archive.

    Returns its exit code, or None if it took too long.
    """
    gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None
    java: subprocess.Popen[bytes] = gateway.proc
    if java.stdin is not None:
        # a JVM that nobody can write to any more ends
        java.stdin.close()
    try:
        return java.wait(SECONDS_TO_WRITE)
    except subprocess.TimeoutExpired:
        java.kill()
        return None
