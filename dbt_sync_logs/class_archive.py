"""An archive of Spark's classes, parsed and checked by Java, for a faster start.

Java calls it class data sharing. The first `make demo` of an environment writes the archive into
its folder, and each embedded Spark of that environment reads it. Java itself checks that the same
Java wrote it from the same files, and ignores it otherwise.
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
# Java's messages on classes that it leaves out, or on an archive that does not fit, are no help.
QUIET = "-Xlog:cds=off -Xlog:cds+dynamic=off"
SECONDS_TO_WRITE = 300
_is_to_be_left = False


def java_options() -> str:
    """Java options for an embedded Spark; empty without an archive to read or write."""
    if ARCHIVE.exists():
        return f"-XX:SharedArchiveFile={quoted(ARCHIVE)} {QUIET}"
    if _is_to_be_left:
        return f"-XX:ArchiveClassesAtExit={quoted(_unfinished())} {QUIET}"
    return ""


def quoted(path: Path) -> str:
    """A path, quoted for Spark's settings of Java options."""
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'


@contextmanager
def left_behind() -> Iterator[None]:
    """Write an archive of what the embedded Spark of this block has loaded, if there is none yet.

    The block must start that Spark, which ends with the block. A missing archive costs only time,
    so a Java that cannot write one is no failure.
    """
    global _is_to_be_left
    _is_to_be_left = not ARCHIVE.exists()
    try:
        yield
        context, gateway = SparkContext._active_spark_context, SparkContext._gateway
        if _is_to_be_left and context is not None and gateway is not None:
            print(f"\nKeeping Spark's classes once for a faster start: {ARCHIVE} ...", flush=True)
            context.stop()
            if _end_java(gateway) == 0 and _unfinished().exists():
                _publish()
    finally:
        _is_to_be_left = False


def _unfinished() -> Path:
    return ARCHIVE.with_suffix(".new")


def _publish() -> None:
    # Java aborts on a truncated archive, so only a complete one may ever have the final name
    with _unfinished().open("rb") as written:
        os.fsync(written.fileno())
    _unfinished().replace(ARCHIVE)


def _end_java(gateway: Any) -> int | None:
    """End the JVM as this process's exit would, and wait until it has written the archive.

    Returns its exit code, or None if it took too long.
    """
    gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None
    java: subprocess.Popen[bytes] = gateway.proc
    if java.stdin is not None:
        # the JVM ends when its standard input is closed
        java.stdin.close()
    try:
        return java.wait(SECONDS_TO_WRITE)
    except subprocess.TimeoutExpired:
        java.kill()
        return None
