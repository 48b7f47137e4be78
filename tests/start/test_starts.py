"""The checks before Spark starts or a server is queried: each failure is one line."""

import fcntl
import socket
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dbt.adapters.spark.session import SessionConnectionWrapper

from dbt_sync_logs import embedded
from dbt_sync_logs.checks import CATALOG_SETTING, HOME_VARIABLE
from dbt_sync_logs.embedded import prepare_once, settings_at
from dbt_sync_logs.messages import EmbeddedSparkRuntimeError, explained
from dbt_sync_logs.plugin import EmbeddedSpark
from sync_logs_demo import walkthrough

Refused = Callable[..., str]


def connection(home: Path | str, profile: str = "sync_logs", **settings: str) -> Any:
    """A connection to an embedded catalog in a folder, as the plugin receives it."""
    own = {
        CATALOG_SETTING: f"jdbc:derby:;databaseName={home}/metastore;create=true",
        "spark.sql.warehouse.dir": f"{home}/warehouse",
        "spark.master": "local[1]",
    }
    return SimpleNamespace(
        method="session",
        schema="sync_logs",
        server_side_parameters={**own, **settings},
        sync_logs_profile_name=profile,
    )


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARK_REMOTE", raising=False)


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Refused:
    """Open a connection in a dbt command, by default `build`; return the error that stops it."""

    def open_it(credentials: Any, command: str = "build", project: Path | None = None) -> str:
        flags = SimpleNamespace(WHICH=command, PROJECT_DIR=project)
        monkeypatch.setattr("dbt.flags.get_flags", lambda: flags)
        # a command that gets this far was not refused
        monkeypatch.setattr(embedded, "start_session", None)
        with pytest.raises(EmbeddedSparkRuntimeError) as error:
            prepare_once(credentials)
        return str(error.value)

    return open_it


@pytest.mark.parametrize("name", ["what?", "{a}", "b*", "c[1]", "back\\slash", "d;e", "two\nlines"])
def test_a_home_whose_path_no_catalog_can_have(tmp_path: Path, refused: Refused, name: str) -> None:
    told = refused(connection(tmp_path / name))
    assert told.startswith(f"The path {str(tmp_path / name)!r} has the character ")
    assert told.endswith(f"Set {HOME_VARIABLE} to a folder without it.")
    assert "\n" not in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("method", ["session", "thrift"])
@pytest.mark.parametrize("schema", ["ch-123", "my schema", "a.b", "schéma", "`a`", "123", ""])
def test_a_schema_that_the_catalog_cannot_have(
    tmp_path: Path, refused: Refused, schema: str, method: str
) -> None:
    credentials = connection(tmp_path / "home")
    credentials.schema, credentials.method = schema, method
    assert refused(credentials) == (
        f"The schema {schema!r} is not a name that Spark's catalog takes. Set SYNC_LOGS_SCHEMA to "
        "one of letters (a to z), digits and underscores."
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["show", "test", "generate", "run-operation"])
def test_a_command_that_reads_before_the_first_build(
    tmp_path: Path, refused: Refused, command: str
) -> None:
    told = refused(connection(tmp_path / "home"), command)
    assert told.startswith(f"Nothing has been built in {tmp_path / 'home'} yet. Run `make demo`")
    assert list(tmp_path.iterdir()) == []


def test_a_command_in_another_folder_of_a_clone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    (tmp_path / "models").mkdir()
    monkeypatch.chdir(tmp_path / "models")
    told = refused(connection(".sync_logs"), project=tmp_path)
    assert told.startswith(f"The warehouse of the clone is in {tmp_path}. Run the command there")
    assert list((tmp_path / "models").iterdir()) == []


def test_a_project_with_its_own_profile_is_pointed_to_that_profile(
    tmp_path: Path, refused: Refused
) -> None:
    remedy = f"et {CATALOG_SETTING} in your profile to a"
    (tmp_path / "file").write_text("")
    assert remedy in refused(connection(tmp_path / "file", "theirs"))
    assert remedy in refused(connection(tmp_path / "what?", "theirs"))
    dashed = connection(tmp_path / "unused", "theirs")
    dashed.schema = "ch-123"
    assert "et the schema in your profile to one of letters" in refused(dashed)
    (tmp_path / "held").mkdir()
    with (tmp_path / "held" / "build.lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert remedy in refused(connection(tmp_path / "held", "theirs"), "show")


def test_a_target_for_a_server_that_is_not_named(refused: Refused) -> None:
    credentials = connection("unused", **{"spark.sync_logs.needsRemote": "true"})
    told = refused(credentials)
    assert told.startswith("This target needs a Spark Connect server, and SPARK_REMOTE names none.")
    assert told.endswith("export SPARK_REMOTE=sc://localhost:15002")


@pytest.mark.parametrize(
    ("profile", "remedy"), [("sync_logs", "Start one with `make serve`"), ("theirs", "Start it")]
)
def test_a_server_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, refused: Refused, profile: str, remedy: str
) -> None:
    credentials = connection("unused", profile)
    del credentials.server_side_parameters["spark.master"]
    with socket.socket() as taken:
        taken.bind(("localhost", 0))
        port = taken.getsockname()[1]
        monkeypatch.setenv("SPARK_REMOTE", f"sc://localhost:{port}/;token=secret")
        assert refused(credentials) == (
            f"No Spark Connect server at sc://localhost:{port} (Connection refused). "
            f"{remedy}, or set SPARK_REMOTE to a running one."
        )
        taken.listen()
        prepare_once(credentials)


@pytest.mark.parametrize("url", ["sc://", "sc://host:port", "sc://host:port/;token=secret"])
def test_a_server_whose_name_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, refused: Refused, url: str
) -> None:
    credentials = connection("unused")
    del credentials.server_side_parameters["spark.master"]
    monkeypatch.setenv("SPARK_REMOTE", url)
    told = refused(credentials)
    assert told.endswith("; give it as sc://HOST:PORT.")
    assert "secret" not in told


def test_a_server_where_the_target_starts_a_spark(
    monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost:1")
    assert refused(connection("unused")) == (
        "SPARK_REMOTE is set, but this target starts its own Spark: "
        "export SYNC_LOGS_TARGET=connect, or unset SPARK_REMOTE."
    )


def test_folders_are_named_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    credentials = connection("a:b")
    home = embedded.embedded_home(credentials)
    assert home == tmp_path / "a:b"
    settings = settings_at(home, credentials.server_side_parameters)
    assert settings[CATALOG_SETTING] == f"jdbc:derby:;databaseName={home}/metastore;create=true"
    assert settings["spark.sql.warehouse.dir"] == f"{home}/warehouse"


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        (None, "null"),
        ("O'Brien", r"'O\'Brien'"),
        (r"\d+'", r"'\\d+\''"),
        ("${e}", r"'$\{e}'"),
        ("None", "'None'"),
        ("", "''"),
        ("007", "'007'"),
        (Decimal("9007199254740993"), "9007199254740993"),
        (9007199254740993, "9007199254740993"),
        (Decimal("1E+5"), "100000"),
        (Decimal("-0.10"), "-0.10"),
        (Decimal("1E+60"), 1e60),
        (True, 1.0),
        (datetime(2026, 1, 2, 3, 4, 5), "'2026-01-02 03:04:05.000'"),
    ],
)
def test_a_value_of_a_seed_is_the_same_in_spark(value: object, literal: object) -> None:
    EmbeddedSpark("").initialize()
    assert SessionConnectionWrapper._fix_binding(value) == literal


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `a` cannot be resolved. "
            "SQLSTATE: 42703; line 1 pos 7;\n'Project ['a]\n+- OneRowRelation\n",
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `a` cannot be resolved. "
            "SQLSTATE: 42703; line 1 pos 7",
        ),
        (
            "Job aborted due to stage failure: Task 0 failed.\n\tat org.A.b(A.scala:1)\n"
            "\t... 3 more\nCaused by: java.lang.Error: c\n",
            "Job aborted due to stage failure: Task 0 failed.",
        ),
        ("It ends.\n\nJVM stacktrace:\norg.A\n\tat org.A.b(A.scala:1)", "It ends."),
        (
            "[PARSE_SYNTAX_ERROR] Syntax error at 'x'. SQLSTATE: 42601\n\n== SQL ==\nx;\n^^^",
            "[PARSE_SYNTAX_ERROR] Syntax error at 'x'. SQLSTATE: 42601\n\n== SQL ==\nx;\n^^^",
        ),
    ],
)
def test_an_error_of_spark_is_printed_without_plans_and_stacks(said: str, printed: str) -> None:
    assert explained(said, None) == printed


def test_a_demo_that_is_interrupted_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    for name in ("SYNC_LOGS_LAKE_PATH", "SYNC_LOGS_TARGET", "DBT_PROFILES_DIR"):
        # so that pytest restores them
        monkeypatch.setenv(name, "unused")
    interrupted = SimpleNamespace(exception=KeyboardInterrupt(), success=False)
    monkeypatch.setattr(walkthrough, "_write_logs", lambda lake: {})
    monkeypatch.setattr(walkthrough, "dbt", lambda *_, **__: interrupted)
    assert walkthrough.main() == walkthrough.INTERRUPTED
    assert capsys.readouterr().err == (
        "\ndemo: stopped. Run it again to continue from what is there.\n"
    )
