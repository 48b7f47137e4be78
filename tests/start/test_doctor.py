"""What the doctor reports about a session whose settings differ from the required ones."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyspark
import pytest
import yaml
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.project import PROJECT

WANTED = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.legacy.parquet.nanosAsLong": "true",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}
SECTION = re.compile(r"^\n(\w[\w ]*)$")
# two spaces follow the longest name of a section, and more follow every other name
LINE = re.compile(r"^  (\S+(?: \S+)*) {2,}(.*)$")


@pytest.fixture
def other_settings(module_warehouse: Warehouse, tmp_path: Path) -> Iterator[Warehouse]:
    """A warehouse whose profile sets other values than the project's profile."""
    profile = yaml.safe_load((PROJECT / "profiles" / "profiles.yml").read_text())
    settings = profile["sync_logs"]["outputs"]["embedded"]["server_side_parameters"]
    settings |= dict(zip(WANTED, ("Etc/UTC", "false", "INT96"), strict=True))
    (tmp_path / "profiles.yml").write_text(yaml.safe_dump(profile))
    yield replace(module_warehouse, profiles=tmp_path)
    for name, value in WANTED.items():
        SparkSession.builder.getOrCreate().conf.set(name, value)


def test_the_profile_of_a_clone_is_as_required(module_warehouse: Warehouse) -> None:
    said = sections(module_warehouse)
    assert {name: said["Session"][name] for name in WANTED} == {
        name: f"{value}, as required" for name, value in WANTED.items()
    }
    assert said["Session"]["ANSI mode"].startswith("off;")
    assert said["Settings"]["sync_logs_error_rules_relation"] == "null"


def test_the_engine_is_named_with_what_its_spark_lacks(module_warehouse: Warehouse) -> None:
    engine = sections(module_warehouse)["Engine"]
    assert engine["Spark"].startswith(f"{pyspark.__version__}, Java ")
    assert engine["format"] == "parquet"
    assert ("missing" in engine) != pyspark.__version__.startswith("4.1.")


def test_older_releases_lack_what_newer_ones_have(module_warehouse: Warehouse) -> None:
    versions = ("3.5.9", "4.0.5-amzn-0", "4.1.4", "4.2.1")
    calls = [f"missing_in_spark('{version}')" for version in versions]
    oldest, older, default, newer = module_warehouse.compiled(*calls)
    assert "no Connect server" in oldest
    assert "no Connect server" not in older
    assert "jars.lock" in oldest
    assert "jars.lock" in older
    # the plugin is installed, which tries queries where there are no scripts
    assert "stops the build" not in oldest
    assert default.strip() == "[]"
    assert "Iceberg and S3: jars.lock has no jars" in newer
    assert "Delta" not in newer


def test_settings_are_judged_by_their_effect(other_settings: Warehouse) -> None:
    said = sections(other_settings)
    assert [said["Session"][name] for name in WANTED] == [
        "Etc/UTC, as required",
        "false, differs from true",
        "INT96, differs from TIMESTAMP_MICROS",
    ]
    advice = "\n".join(other_settings.said)
    assert "spark.sql.session.timeZone: " not in advice
    for written in ('nanosAsLong: "true"`', "outputTimestampType: TIMESTAMP_MICROS`"):
        assert f"{written} under server_side_parameters of the target embedded" in advice


def sections(built: Warehouse) -> dict[str, dict[str, str]]:
    """What the doctor reports, by section and name."""
    assert built.operation("sync_logs_doctor"), built.failures()
    found: dict[str, dict[str, str]] = {}
    for line in built.said:
        if heading := SECTION.match(line):
            found[heading[1]] = {}
        elif found and not line.startswith("  - "):
            row = LINE.match(line)
            assert row, f"no spaces between name and value: {line}"
            found[list(found)[-1]][row[1]] = row[2]
    return found
