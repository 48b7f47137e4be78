"""`make jars`: the lock file, and which files of a folder are missing or wrong; no download."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

from dbt_sync_logs.checks import EmbeddedSparkError, check_jars
from helpers.project import PROJECT
from scripts import test_engines
from scripts.jars import LOCK, Jar, JarError, jars_for, locked, missing, remove_others

OF_TARGETS = ("delta", "iceberg", "postgresql", "s3")
# servers that run in processes of their own
OF_TESTS = ("s3proxy", "iceberg-rest")
REQUIREMENTS = PROJECT / "requirements.lock"
DATA = b"a jar"
JAR = Jar("delta", "org.example:some-jar_2.13:1.0", hashlib.sha256(DATA).hexdigest())


def test_the_lock_file_has_the_jars_of_each_engine() -> None:
    jars = locked(LOCK.read_text())
    assert {jar.engine for jar in jars} == {*OF_TARGETS, *OF_TESTS}
    assert len({(jar.engine, jar.file_name) for jar in jars}) == len(jars)
    assert all(len(jar.sha256) == 64 for jar in jars)


def test_each_engine_has_jars_for_the_locked_spark() -> None:
    (pinned,) = re.findall(r"^pyspark==(.+)$", REQUIREMENTS.read_text(), re.MULTILINE)
    jars = locked(LOCK.read_text())
    for engine in (*OF_TARGETS, *OF_TESTS):
        assert jars_for(jars, engine, pinned) != []
    # an artifact that names a release of Spark is for that one
    named = {jar: re.search(r"[-_](\d\.\d)_", jar.coordinates) for jar in jars}
    assert {jar.spark for jar in jars} == {"", "4.1", "4.2"}
    assert all(found[1] == jar.spark for jar, found in named.items() if found)


def test_jars_are_chosen_by_the_release_of_spark(tmp_path: Path) -> None:
    older, newer = replace(JAR, spark="4.1"), Jar("delta", "org.example:new:1.0", "0" * 64, "4.2")
    any_spark, other = Jar("delta", "org.example:all:1.0", "0" * 64), replace(JAR, engine="s3")
    jars = [older, newer, any_spark, other]
    assert jars_for(jars, "delta", "4.1.4") == [older, any_spark]
    assert jars_for(jars, "delta", "4.2.1") == [newer, any_spark]
    assert jars_for(jars, "s3", "3.5.9") == [other]
    with pytest.raises(JarError, match=r"for Spark 4\.1 and 4\.2, and this is Spark 4\.3\.0"):
        jars_for(jars, "delta", "4.3.0")

    for jar in (older, newer, any_spark):
        (tmp_path / jar.file_name).touch()
    (tmp_path / "mine.jar").touch()
    remove_others([older, newer, any_spark], [newer, any_spark], tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"new-1.0.jar", "all-1.0.jar", "mine.jar"}


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
