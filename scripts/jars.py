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
from typing import Any

import pyspark
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from dbt_sync_logs.embedded import standard_error_in

PROJECT = Path(__file__).resolve().parents[1]
LOCK = PROJECT / "jars.lock"
FOLDER, IVY_SETTINGS = "SYNC_LOGS_JARS", "SYNC_LOGS_IVY_SETTINGS"


class JarError(Exception):
    """A jar could not be had; the message says which one and what to do."""


@dataclass(frozen=True)
class Jar:
    """A line of the lock file; `spark` is the release that the jar is for, empty: any."""

    engine: str
    coordinates: str
    sha256: str
    spark: str = ""

    @property
    def file_name(self) -> str:
        """The name of the file, without the group."""
        _, *name = self.coordinates.split(":")
        return f"{'-'.join(name)}.jar"


def locked(text: str) -> list[Jar]:
    """The jars of a lock file. Raises TypeError for a line without three or four words."""
    lines = [line.split() for line in text.splitlines()]
    return [Jar(*line) for line in lines if line and line[0] != "#"]


def jars_for(jars: Iterable[Jar], engine: str, version: str) -> list[Jar]:
    """The jars of an engine for a version of Spark. Raises JarError if it has none for it."""
    of_engine = [jar for jar in jars if jar.engine == engine]
    release = ".".join(version.split(".")[:2])
    releases = sorted({jar.spark for jar in of_engine if jar.spark})
    if releases and release not in releases:
        raise JarError(
            f"jars.lock has jars of {engine} for Spark {' and '.join(releases)}, and this is Spark "
            f"{version}. Run `.venv/bin/pip install -r requirements.lock`, or do without {engine}."
        )
    return [jar for jar in of_engine if jar.spark in ("", release)]


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


def remove_others(jars: Iterable[Jar], wanted: Iterable[Jar], folder: Path) -> None:
    """Delete the jars for other releases of Spark: all files of a folder are on the class path."""
    for name in {jar.file_name for jar in jars} - {jar.file_name for jar in wanted}:
        (folder / name).unlink(missing_ok=True)


def download(jars: Iterable[Jar], folder: Path) -> None:
    """Download jars into a folder. Raises JarError."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as cache:
        with standard_error_in(folder / "download.log"):
            session = _session()
        coordinates = "Any jar"
        try:
            java: Any = session._jvm
            # Ivy reports every step in the log
            java.java.lang.System.setOut(java.java.lang.System.err)
            resolver = _resolver(java, cache)
            for jar in jars:
                coordinates = jar.coordinates
                print(f"jars: {coordinates} ...", flush=True)
                part = folder / f"{jar.file_name}.part"
                shutil.copyfile(_fetched(java, resolver, jar), part)
                part.rename(folder / jar.file_name)
        except (Py4JJavaError, OSError) as error:
            said = str(getattr(error, "java_exception", error)).splitlines()[0]
            raise JarError(
                f"{coordinates} cannot be downloaded: {said}. "
                f"{folder / 'download.log'} has every step; set {IVY_SETTINGS} for a mirror."
            ) from None
        finally:
            session.stop()


def _session() -> SparkSession:
    builder = SparkSession.builder.master("local[1]").config("spark.log.level", "ERROR")
    return builder.config("spark.ui.enabled", "false").getOrCreate()


def _resolver(java: Any, cache: str) -> Any:
    """What finds jars: the default of Ivy, Maven Central, or that of a file with settings."""
    settings = java.org.apache.ivy.core.settings.IvySettings()
    if given := os.environ.get(IVY_SETTINGS):
        settings.load(java.java.io.File(str(Path(given).absolute())))
    else:
        settings.loadDefault()
    settings.setDefaultCache(java.java.io.File(cache))
    return settings.getDefaultResolver()


def _fetched(java: Any, resolver: Any, jar: Jar) -> str:
    """The file of a jar in the cache. Raises OSError."""
    ivy = java.org.apache.ivy.core
    group, name, version, *classifier = jar.coordinates.split(":")
    module = ivy.module.id.ModuleRevisionId.newInstance(group, name, version)
    attributes = java.java.util.HashMap()
    for one in classifier:
        attributes.put("classifier", one)
    artifact = ivy.module.descriptor.DefaultArtifact(module, None, name, "jar", "jar", attributes)
    wanted = SparkContext._gateway.new_array(ivy.module.descriptor.Artifact, 1)
    wanted[0] = artifact
    found = resolver.download(wanted, ivy.resolve.DownloadOptions()).getArtifactReport(artifact)
    if found.getLocalFile() is None:
        raise OSError(found.getDownloadDetails() or "not found")
    return str(found.getLocalFile())


def main() -> int:
    """Returns the exit code."""
    jars = locked(LOCK.read_text())
    engines = sorted({jar.engine for jar in jars})
    parser = argparse.ArgumentParser(prog="make jars", description=__doc__)
    parser.add_argument("engine", choices=engines)
    engine = parser.parse_args().engine
    folder = Path(os.environ.get(FOLDER) or PROJECT / "jars") / engine
    try:
        wanted = jars_for(jars, engine, pyspark.__version__)
        remove_others([jar for jar in jars if jar.engine == engine], wanted, folder)
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
