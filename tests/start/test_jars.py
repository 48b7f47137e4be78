"""`make jars`: the lock file, and which files of a folder are missing or wrong; no download."""

import hashlib
import re
from pathlib import Path

import pytest

from dbt_sync_logs.checks import EmbeddedSparkError, check_jars
from helpers.project import PROJECT
from scripts import test_engines
from scripts.jars import LOCK, SPARK, Jar, JarError, check_spark, locked, missing

OF_TARGETS = ("delta", "iceberg", "postgresql", "s3")
# a server that runs in a process of its own
OF_TESTS = ("s3proxy",)
REQUIREMENTS = PROJECT / "requirements.lock"
DATA = b"a jar"
JAR = Jar("delta", "org.example:some-jar_2.13:1.0", hashlib.sha256(DATA).hexdigest())


def test_the_lock_file_has_the_jars_of_each_engine() -> None:
    jars = locked(LOCK.read_text())
    assert {jar.engine for jar in jars} == {*OF_TARGETS, *OF_TESTS}
    assert len({(jar.engine, jar.file_name) for jar in jars}) == len(jars)
    assert all(len(jar.sha256) == 64 for jar in jars)


def test_the_jars_are_for_the_locked_spark_and_no_other() -> None:
    (pinned,) = re.findall(r"^pyspark==(.+)$", REQUIREMENTS.read_text(), re.MULTILINE)
    check_spark(pinned)
    with pytest.raises(JarError, match="this is Spark"):
        check_spark("3.5.9")
    named = {re.search(r"_(\d\.\d)_", jar.coordinates) for jar in locked(LOCK.read_text())}
    assert {one[1] for one in named if one} == {SPARK}


def test_the_profile_has_a_target_for_the_jars_of_each_engine() -> None:
    text = (PROJECT / "profiles" / "profiles.yml").read_text()
    for engine in OF_TARGETS:
        assert f"}}}}/{engine}/*" in text


def test_a_jar_is_missing_until_it_is_there(tmp_path: Path) -> None:
    assert missing([JAR], tmp_path) == [JAR]
    (tmp_path / "some-jar_2.13-1.0.jar").write_bytes(DATA)
    assert missing([JAR], tmp_path) == []


def test_a_jar_with_other_contents_is_refused(tmp_path: Path) -> None:
    (tmp_path / JAR.file_name).write_bytes(b"another jar")
    with pytest.raises(JarError, match=r"is not the file that jars\.lock names"):
        missing([JAR], tmp_path)


def test_a_target_without_its_jars_says_which_command_brings_them(tmp_path: Path) -> None:
    settings = {"spark.driver.extraClassPath": f"{tmp_path / 'delta'}/*"}
    with pytest.raises(EmbeddedSparkError) as error:
        check_jars(settings)
    assert "Run `make jars FORMAT=delta`" in str(error.value)
    with pytest.raises(EmbeddedSparkError) as error:
        check_jars(settings, is_clone=False)
    assert "make" not in str(error.value)

    (tmp_path / "delta").mkdir()
    (tmp_path / "delta" / "a.jar").touch()
    check_jars(settings)
    check_jars({})


def test_the_tests_of_engines_download_the_jars_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []

    def run(command: list[str], variables: object = None) -> bool:
        ran.append(command)
        return True

    monkeypatch.setattr(test_engines, "run", run)
    assert test_engines.main() == 0
    downloaded = [command[-1] for command in ran if command[1:3] == ["-m", "scripts.jars"]]
    assert sorted(downloaded) == sorted((*OF_TESTS, *OF_TARGETS))
