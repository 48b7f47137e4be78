"""`make demo` in this process, then every example of the documents on the tables that it built."""

import io
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from conftest import SCHEMA, Warehouse, drop
from dbt_sync_logs import command_line, runner
from documents.moved_sync import Membership, memberships
from documents.pages_of_docs import DOCS, TABLES, manifest_in, output_on
from helpers.documents import blocks, commands
from helpers.project import PROJECT
from scripts.pages import operation_outputs, output_of, tables_of
from scripts.pages.__main__ import AS_OF, operations_shown
from sync_logs_demo import walkthrough
from sync_logs_demo.hightouch import INCOMPLETE_RUN, simulate_hightouch
from sync_logs_demo.syncs import BASE_RUNS

README = (PROJECT / "README.md").read_text()


@dataclass(frozen=True)
class Demo:
    """What `make demo` printed and left behind."""

    said: str
    target: Path
    dbt: Callable[..., Any]


@pytest.fixture(scope="module")
def demo(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    target = tmp_path_factory.mktemp("demo")

    def dbt(
        command: str,
        *arguments: str,
        variables: Mapping[str, object] | None = None,
        **options: Any,
    ) -> Any:
        given = {"sync_logs_as_of": AS_OF, **(variables or {})}
        folder = ["--target-path", str(target)]
        return runner.dbt(command, *arguments, *folder, variables=given, **options)

    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        # the schema that the examples name
        patch.setenv("SYNC_LOGS_SCHEMA", SCHEMA)
        patch.setenv("SYNC_LOGS_LAKE_PATH", str(home / "demo_lake"))
        patch.setenv("DBT_PROFILES_DIR", str(PROJECT / "profiles"))
        patch.setattr(walkthrough, "dbt", dbt)
        with redirect_stdout(said):
            assert walkthrough.main() == 0
        yield Demo(said.getvalue(), target, dbt)
    drop(SCHEMA, home)


@pytest.fixture(scope="module")
def queries(demo: Demo) -> Mapping[str, str]:
    """The queries to adapt, as dbt compiles them."""
    compiled = demo.dbt("compile", "--select", "path:analyses")
    assert compiled.success, runner.first_failure(compiled)
    return {one.node.name: one.node.compiled_code for one in compiled.result.results}


def test_the_examples_of_the_tables_give_their_outputs(
    demo: Demo, queries: Mapping[str, str]
) -> None:
    spark = runner.session()
    tables = tables_of(manifest_in(demo.target))
    outputs = {table.name: output_of(spark, table.example) for table in tables}
    assert outputs == {name: output_on(TABLES / f"{name}.md", name) for name in outputs}


def test_the_queries_to_adapt_give_their_outputs(queries: Mapping[str, str]) -> None:
    spark = runner.session()
    outputs = {name: output_of(spark, query) for name, query in queries.items()}
    assert set(outputs) == {path.stem for path in PROJECT.glob("analyses/*.sql")}
    assert outputs == {name: output_on(DOCS / "questions.md", name) for name in outputs}


def test_dbt_shows_the_queries_to_adapt(demo: Demo, queries: Mapping[str, str]) -> None:
    shown = demo.dbt("show", "--select", "path:analyses")
    assert shown.success, runner.first_failure(shown)
    assert {one.node.name for one in shown.result.results} == set(queries)


def test_the_demo_answers_as_the_readme_says(demo: Demo) -> None:
    shown = re.findall(
        r"^```text\n((?:Most common error|vendor ).*?)```", README, re.MULTILINE | re.DOTALL
    )
    assert len(shown) == 2
    assert [text for text in shown if text not in demo.said] == []
    assert "112 runs of 8 syncs" in demo.said


def test_the_operations_print_what_their_page_shows(demo: Demo) -> None:
    shown = operation_outputs((DOCS / "operations.md").read_text())
    folder = ["--target-path", str(demo.target)]
    found = operations_shown(lambda *command, **options: runner.dbt(*command, *folder, **options))
    assert {name: unlike(text) for name, text in found.items()} == {
        name: unlike(text) for name, text in shown.items()
    }


def unlike(output: str) -> str:
    """An output of the doctor without what differs by machine, time and schema of the tests."""
    return re.sub(r"^  (dbt|Spark|lock|last commit|missing) .*\n", r"  \1\n", output, flags=re.M)


def test_the_history_of_a_moved_sync_is_what_its_destination_had(
    queries: Mapping[str, str],
) -> None:
    rows = runner.session().sql(queries["history_of_a_moved_sync"]).collect()
    found = [
        Membership(
            row.row_id,
            row.entered_at.timestamp(),
            row.entered_with,
            row.exited_at and row.exited_at.timestamp(),
            row.exited_with,
            row.is_left_behind,
        )
        for row in rows
    ]
    assert len(found) == len(set(found))
    assert set(found) == memberships()


def test_the_page_on_moving_shows_that_history(queries: Mapping[str, str]) -> None:
    page = (DOCS / "moving.md").read_text()
    (shown,) = re.findall(r"^```text\n(.*?)\n```", page, re.MULTILINE | re.DOTALL)
    told = set(re.findall(r"^- `(\w+)`", page, re.MULTILINE))
    assert told == {"AE", "AL", "AO"}
    query = queries["history_of_a_moved_sync"].replace(
        "from memberships_joined", "from memberships_joined where row_id in ('AE', 'AL', 'AO')"
    )
    assert output_of(runner.session(), query) == shown


def test_the_runs_of_a_moved_sync_are_in_one_list(queries: Mapping[str, str]) -> None:
    rows = runner.session().sql(queries["runs_of_a_moved_sync"]).collect()
    runs = simulate_hightouch(len(rows) - BASE_RUNS)
    assert [(row.vendor, row.source_name) for row in rows] == [
        *[("hightouch", "hightouch")] * len(runs),
        *[("census", "lake")] * BASE_RUNS,
    ]
    assert [row.sync_run_id for row in rows[: len(runs)]] == [str(one.run_id) for one in runs[::-1]]
    assert {row.sync_run_id: row.issue_of_the_log for row in rows if row.issue_of_the_log} == {
        str(runs[INCOMPLETE_RUN - 1].run_id): "rows missing"
    }


def test_the_question_of_the_readme_is_answered(demo: Demo) -> None:
    (question,) = re.findall(r'dbt show .*--inline "(.*)"', README)
    shown = demo.dbt("show", "--inline", question)
    assert shown.success, runner.first_failure(shown)
    # one run of each vendor
    assert len(shown.result.results[0].agate_table.rows) == 2


def test_the_morning_goes_as_its_page_says(
    demo: Demo, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(PROJECT)
    # a command of the viewer would end this process
    monkeypatch.setattr("sync_logs_viewer.serving.end_process", sys.exit)
    for line in commands(DOCS / "morning.md"):
        program, *arguments = shlex.split(line)
        if program == "export":
            name, _, value = arguments[0].partition("=")
            monkeypatch.setenv(name, value)
        elif program == "dbt":
            shown = demo.dbt(*arguments)
            assert shown.success, runner.first_failure(shown)
            assert shown.result.results[0].agate_table.rows, line
        else:
            assert program == "sync-logs", line
            capsysbinary.readouterr()
            with pytest.raises(SystemExit) as ended:
                command_line.main(arguments)
            outcome = capsysbinary.readouterr()
            assert ended.value.code == 0, outcome.err.decode()
            said = outcome.out.decode()
            assert len(said.splitlines()) > 1, f"{line}: {said}"


def test_the_site_of_dbt_can_be_made(demo: Demo) -> None:
    made = demo.dbt("docs", "generate", "--no-compile")
    assert made.success, runner.first_failure(made)
    catalog = json.loads((demo.target / "catalog.json").read_text())
    assert {f"model.sync_logs.{path.stem}" for path in TABLES.glob("[a-z]*.md")} <= set(
        catalog["nodes"]
    )


def test_a_build_of_the_lake_alone_keeps_what_the_demo_built(demo: Demo) -> None:
    queries = [
        f"select {columns} from sync_logs.{table} order by organization_id, sync_id, sync_run_id"
        for table, columns in (
            ("sync_runs", "*"),
            ("log_coverage", "organization_id, sync_id, sync_run_id, stored_row_count, issue"),
        )
    ]
    spark = runner.session()
    before = [spark.sql(query).collect() for query in queries]
    built = demo.dbt("build")
    assert built.success, runner.first_failure(built)
    assert [spark.sql(query).collect() for query in queries] == before
    assert {row.vendor for row in before[0]} == {"census", "hightouch"}


def test_the_one_off_check_of_contributing_prints_what_it_shows(
    warehouse: Callable[[str], Warehouse], capsys: pytest.CaptureFixture[str]
) -> None:
    warehouse("try_it").start_spark()
    # without what dbt has printed
    capsys.readouterr()
    page = PROJECT / "CONTRIBUTING.md"
    (code,), (shown,) = blocks(page, "python"), blocks(page, "text")
    exec(code, {})
    assert capsys.readouterr().out == shown
