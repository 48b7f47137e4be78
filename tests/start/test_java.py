"""Which Java Spark uses: a compatible one, or one line with what was found and what to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dbt_sync_logs import java
from dbt_sync_logs.java import JavaError, choose_java
from helpers.project import PROJECT
from start.fake_javas import java_of
from sync_logs_loader import cli

ALONE = PROJECT / "dbt_sync_logs" / "java.py"


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder that is searched for a Java; PATH has none, and no variable is set."""
    folder = tmp_path / "my places"
    monkeypatch.setattr(java, "PLACES", (f"{folder}/*",))
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))
    for name in ("JAVA_HOME", "PYSPARK_PYTHON"):
        # setting it first makes pytest restore it, whatever the test sets
        monkeypatch.setenv(name, "unused")
        monkeypatch.delenv(name)
    return folder


@pytest.mark.parametrize("version", ["17.0.15", "21.0.8", "19"])
def test_a_compatible_java_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    java_of(tmp_path / "path", version)
    assert choose_java() is None
    assert "JAVA_HOME" not in os.environ
    monkeypatch.setenv("JAVA_HOME", java_of(tmp_path / "chosen", version))
    assert choose_java() is None


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("1.8.0_392", "Java 8"),
        ("11.0.2", "Java 11"),
        ("22", "Java 22"),
        ("25.0.1", "Java 25"),
        ("26-ea", "Java 26"),
    ],
)
def test_an_incompatible_java_home_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: Path, version: str, told: str
) -> None:
    chosen = java_of(tmp_path / "chosen", version)
    monkeypatch.setenv("JAVA_HOME", chosen)
    with pytest.raises(JavaError) as without:
        choose_java()
    assert str(without.value) == (
        f"JAVA_HOME={chosen} leads to {told} ({chosen}/bin/java). Spark runs on Java 17 to 21. "
        "Install Java 17 or 21, or point JAVA_HOME at one."
    )
    # the message names a Java that was found, but the user must choose it
    fitting = java_of(places / "jdk-17", "17.0.1")
    with pytest.raises(JavaError, match=f"17 to 21: export JAVA_HOME='{fitting}'$"):
        choose_java()
    assert os.environ["JAVA_HOME"] == chosen


def test_a_java_home_without_a_java_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(JavaError, match=r"nowhere/bin/java, which does not run\. Spark runs on"):
        choose_java()


def test_without_a_java_home_another_one_is_used(tmp_path: Path, places: Path) -> None:
    with pytest.raises(JavaError, match=r"^Java was not found\. Spark runs on Java 17 to 21\."):
        choose_java()
    java_of(tmp_path / "path", "25.0.1")
    java_of(places / "a-jdk-11", "11.0.2")
    java_of(places / "b-jdk-18", "18.0.2")
    # the layout on a Mac
    home = places / "temurin-21.jdk" / "Contents" / "Home"
    java_of(home, "21.0.8")
    told = choose_java()
    assert told is not None
    assert told.startswith(f"The PATH leads to Java 25 ({tmp_path}/path/bin/java). ")
    assert told.endswith(f": using the one in {home}.")
    assert os.environ["JAVA_HOME"] == str(home)
    assert choose_java() is None


@pytest.mark.parametrize(("given", "wanted"), [("C", "C.UTF-8"), ("de_DE.UTF-8", "de_DE.UTF-8")])
def test_java_finds_files_whatever_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, wanted: str
) -> None:
    java_of(tmp_path / "path", "17.0.15")
    monkeypatch.setenv("LC_ALL", given)
    choose_java()
    assert os.environ["LC_ALL"] == wanted


def test_workers_have_the_python_of_the_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java_of(tmp_path / "path", "17.0.15")
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    choose_java()
    assert os.environ["PYSPARK_PYTHON"] == sys.executable
    monkeypatch.setenv("PYSPARK_PYTHON", "theirs")
    choose_java()
    assert os.environ["PYSPARK_PYTHON"] == "theirs"


def run(*command: str, java_home: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"JAVA_HOME": java_home, "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command,
        cwd=PROJECT,
        env=environment | {"DBT_PROFILES_DIR": str(PROJECT / "profiles")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_setup_checks_java_before_any_package_is_installed(tmp_path: Path) -> None:
    outcome = run(sys.executable, "-I", "-S", str(ALONE), java_home=java_of(tmp_path / "a", "25"))
    assert outcome.returncode == 1
    assert outcome.stderr.startswith(f"setup: JAVA_HOME={tmp_path}/a leads to Java 25")
    assert outcome.stderr.count("\n") == 1
    outcome = run(sys.executable, "-I", "-S", str(ALONE), java_home=java_of(tmp_path / "b", "21"))
    assert (outcome.returncode, outcome.stdout + outcome.stderr) == (0, "")


@pytest.mark.parametrize(
    ("module", "name"), [("sync_logs_demo.walkthrough", "demo"), ("scripts.serve", "serve")]
)
def test_demo_and_server_check_java_first(tmp_path: Path, module: str, name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYNC_LOGS_HOME", str(tmp_path / "home"))
        outcome = run(sys.executable, "-m", module, java_home=java_of(tmp_path / "jdk", "25"))
    assert outcome.returncode == 1
    assert outcome.stderr.startswith(f"{name}: JAVA_HOME={tmp_path}/jdk leads to Java 25")
    assert outcome.stderr.count("\n") == 1
    assert not (tmp_path / "home").exists()


def test_the_loader_checks_java_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAVA_HOME", java_of(tmp_path / "jdk", "25"))
    assert cli.main(["demo", "--lake", str(tmp_path / "lake")]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: JAVA_HOME={tmp_path}/jdk leads to Java 25")
    assert said.count("\n") == 1
