"""`make jars`: the jars of an engine that Spark does not bring, into the folder `jars`.

Spark's own Ivy downloads them from Maven Central. On a closed network, name a file with Ivy
settings for a mirror in SYNC_LOGS_IVY_SETTINGS, or copy the files into the folder yourself.
"""

import argparse
import hashlib
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyspark
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from dbt_sync_logs.embedded import standard_error_in

PROJECT = Path(__file__).resolve().parents[1]
LOCK = PROJECT / "jars.lock"
# the release that the jars of the lock are for
SPARK = "4.1"
FOLDER, IVY_SETTINGS = "SYNC_LOGS_JARS", "SYNC_LOGS_IVY_SETTINGS"


class JarError(Exception):
    """A jar could not be had; the message says which one and what to do."""


@dataclass(frozen=True)
class Jar:
    """A line of the lock file."""

    engine: str
    coordinates: str
    sha256: str

    @property
    def file_name(self) -> str:
        """The name of the file, without the group."""
        _, artifact, version = self.coordinates.split(":")
        return f"{artifact}-{version}.jar"


def locked(text: str) -> list[Jar]:
    """The jars of a lock file. Raises ValueError for a line without three words."""
    lines = [line.split() for line in text.splitlines()]
    return [Jar(*line) for line in lines if line and line[0] != "#"]


def missing(jars: Iterable[Jar], folder: Path) -> list[Jar]:
    """The jars that a folder does not have. Raises JarError for a file with other contents."""
    found = []
    for jar in jars:
        file = folder / jar.file_name
        if not file.exists():
            found.append(jar)
        elif hashlib.sha256(file.read_bytes()).hexdigest() != jar.sha256:
            raise JarError(
                f"{file} is not the file that jars.lock names. Delete it, and run `make jars`."
            )
    return found


def check_spark(version: str) -> None:
    """Raises JarError if the jars are for another release of Spark."""
    if not version.startswith(f"{SPARK}."):
        raise JarError(
            f"jars.lock has jars for Spark {SPARK}, and this is Spark {version}. "
            "Run `.venv/bin/pip install -r requirements.lock`, or keep the format parquet."
        )


def download(jars: Iterable[Jar], folder: Path) -> None:
    """Download jars into a folder. Raises JarError."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as cache:
        # Ivy reports every step there
        with standard_error_in(folder / "download.log"):
            session = _session(cache)
        try:
            for jar in jars:
                print(f"jars: {jar.coordinates} ...", flush=True)
                session.sql(f"add jar ivy://{jar.coordinates}?transitive=false")
                group = jar.coordinates.partition(":")[0]
                part = folder / f"{jar.file_name}.part"
                shutil.copyfile(Path(cache) / "jars" / f"{group}_{jar.file_name}", part)
                part.rename(folder / jar.file_name)
        except (PySparkException, Py4JJavaError, OSError) as error:
            said = [line for line in str(error).splitlines() if line.strip()]
            raise JarError(
                f"{jar.coordinates} cannot be downloaded: {said[-1].strip()} "
                f"{folder / 'download.log'} has every step; set {IVY_SETTINGS} for a mirror."
            ) from None
        finally:
            session.stop()


def _session(cache: str) -> SparkSession:
    builder = SparkSession.builder.master("local[1]").config("spark.jars.ivy", cache)
    builder = builder.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    if settings := os.environ.get(IVY_SETTINGS):
        builder = builder.config("spark.jars.ivySettings", str(Path(settings).absolute()))
    return builder.getOrCreate()


def main() -> int:
    """Returns the exit code."""
    jars = locked(LOCK.read_text())
    engines = sorted({jar.engine for jar in jars})
    parser = argparse.ArgumentParser(prog="make jars", description=__doc__)
    parser.add_argument("engine", choices=engines)
    engine = parser.parse_args().engine
    folder = Path(os.environ.get(FOLDER) or PROJECT / "jars") / engine
    wanted = [jar for jar in jars if jar.engine == engine]
    try:
        check_spark(pyspark.__version__)
        if absent := missing(wanted, folder):
            download(absent, folder)
        if absent := missing(wanted, folder):
            raise JarError(f"{absent[0].coordinates} was not downloaded. See docs/engines.md.")
    except JarError as error:
        print(f"jars: {error}", file=sys.stderr)
        return 1
    print(f"jars: {len(wanted)} files are in {folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
