"""An embedded Spark writes an archive of its classes, and the next one starts from it."""

import subprocess
import sys
from pathlib import Path

from helpers.project import HOSTILE, PROJECT

# Prints last which files are mapped into the memory of the JVM.
START = """
import sys
from pathlib import Path
from pyspark.sql import SparkSession
from dbt_sync_logs import class_archive

class_archive.ARCHIVE = Path(sys.argv[1])
with class_archive.left_behind():
    options = class_archive.java_options()
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = spark.config("spark.driver.extraJavaOptions", options).getOrCreate()
    java = spark.sparkContext._gateway.proc.pid
    print("maps:", *(line.split(maxsplit=5)[-1].strip() for line in open(f"/proc/{java}/maps")))
"""


def start(archive: Path) -> str:
    """The output of a process that starts Spark."""
    command = [sys.executable, "-c", START, str(archive)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def mapped(said: str) -> str:
    (line,) = [line for line in said.splitlines() if line.startswith("maps:")]
    return line


def test_a_spark_starts_from_the_classes_of_the_one_before(tmp_path: Path) -> None:
    # the folder of an environment can have such a name
    archive = tmp_path / HOSTILE / "classes.jsa"
    archive.parent.mkdir()
    first = start(archive)
    assert "Keeping Spark's classes" in first
    assert [one.name for one in archive.parent.iterdir()] == [archive.name]
    second = start(archive)
    assert str(archive) in mapped(second)
    assert str(archive) not in mapped(first)
    assert "Keeping" not in second

    # an archive of another Java is not read, does no harm and is not reported
    archive.chmod(0o644)
    archive.write_bytes(b"another Java's" * 1000)
    third = start(archive)
    assert str(archive) not in mapped(third)
    assert "cds" not in third
