"""The documents match the project: commands, tables, settings, variables, files."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from helpers.documents import DOCUMENTS, anchors, commands, rows_under
from helpers.project import PROJECT
from sync_logs_loader.schemas import (
    COLUMN_ALIASES,
    CONSTANT_COLUMNS,
    HIGHTOUCH_KEY,
    METADATA_IDS,
    REQUIRED_RECORD_COLUMNS,
)

README = PROJECT / "README.md"
# each command of the documents, and the call in a test that runs it: file, function, words of it
RUN_IN = {
    "make serve": ("tests/long/test_spark_connect.py", "running", ""),
    "make watch": ("tests/viewer/test_watch.py", "watch.main", ""),
    "make report": ("tests/viewer/test_viewer_commands.py", "terminal.run", "report"),
    "make check": ("tests/start/test_check.py", "check.main", ""),
    "make cluster": ("tests/long/test_cluster.py", "running", "--cluster"),
    "make jars": ("tests/start/test_jars.py", "test_engines.main", ""),
    # compares it with what `make test-matrix` installs
    "pip install": ("tests/start/test_matrix.py", "test_matrix.requirements", ""),
    "make hub-checklist": ("tests/start/test_hub_checklist.py", "hub_checklist.main", ""),
    "make notices": ("tests/start/test_notices.py", "notices.main", ""),
    "make demo": ("tests/documents/test_examples.py", "walkthrough.main", ""),
    "dbt build": ("tests/builds/test_hostile_lake.py", "dbt", "'build'"),
    "dbt build --vars 'sync_logs_lake_moved: true'": (
        *("tests/long/test_moved_lake.py", "dbt", "sync_logs_lake_moved: true"),
    ),
    "dbt show --inline": ("tests/documents/test_examples.py", "demo.dbt", "'show', '--inline'"),
    "dbt docs generate": ("tests/documents/test_examples.py", "demo.dbt", "'docs', 'generate'"),
    **{
        f"dbt run-operation sync_logs_{name}": (
            *("tests/long/test_migration.py", "operation", f"'sync_logs_{name}'"),
        )
        for name in ("doctor", "collect", "compact")
    },
    **{
        f"dbt run-operation {name}": (
            *("tests/helpers/retained_warehouse.py", "self._operate", f"'{name}'"),
        )
        for name in ("prune_sync_logs", "purge_record")
    },
    "sync-logs doctor": ("tests/start/test_command_line.py", "main", "'doctor'"),
    "sync-logs load": ("python_loaders/tests/test_cli.py", "cli.main", "'load'"),
    # runs each of them as written
    "sync-logs": ("tests/viewer/test_viewer_commands.py", "terminal.run", "line"),
}
# what runs on each change and each night
ON_SERVERS = (".ci/run", ".github/workflows/nightly.yml")
# they take too long for each change, need something that a test cannot have, or are not ours
NOT_RUN = (
    *("make test-long", "make bench", "make bench-scale", "make docs", "export", "source", "tar"),
    *('"$SPARK_HOME"/bin/beeline', "scripts/bi/superset.sh"),
)
# the files that read environment variables
SOURCES = (
    *("Makefile", "profiles", "scripts", "dbt_project.yml"),
    *("dbt_sync_logs", "python_loaders", "viewer"),
)
VARIABLE = re.compile(r"SYNC_LOGS_[A-Z_]+")
OUTSIDE = re.compile(r"://|^#!")


def names_of(documents: list[Path]) -> list[str]:
    return [str(path.relative_to(PROJECT)) for path in documents]


def test_every_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    named = {
        target
        for document in DOCUMENTS
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", document.read_text(), re.MULTILINE)
    }
    assert {"demo", "test", "serve", "watch", "report"} <= named <= targets


def test_the_tables_are_the_documented_models() -> None:
    listed = [
        name for row in rows_under(README, "The tables") for name in re.findall(r"`(\w+)`", row[1])
    ]
    models = [model.stem for model in (PROJECT / "models" / "marts").rglob("*.sql")]
    assert sorted(listed) == sorted(models)


def test_the_settings_are_those_of_the_project() -> None:
    project: dict[str, Any] = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())
    page = (PROJECT / "docs" / "configuration.md").read_text()
    told = re.findall(r"^### `(\w+)`$", page, re.MULTILINE)
    assert told == list(project["vars"]["sync_logs"])
    # and the settings that documents mention
    named = {
        name
        for document in DOCUMENTS
        for name in re.findall(r"^ *(sync_logs_\w+):", document.read_text(), re.MULTILINE)
    }
    assert named - set(told) == set()


def test_the_page_of_the_loader_has_its_columns_and_their_other_names() -> None:
    rows = rows_under(PROJECT / "docs" / "loader.md", "Logs in another shape")
    others = {column.strip("`"): names_in(other) for column, _, other in rows}
    # the payload has its other name only together with a Hightouch key
    assert others.pop("record_payload") == [*COLUMN_ALIASES["record_payload"], HIGHTOUCH_KEY]
    assert {column: tuple(names) for column, names in others.items() if names} == {
        column: names for column, names in COLUMN_ALIASES.items() if column != "record_payload"
    }
    uses = {column.strip("`"): use for column, use, _ in rows}
    needed = [column for column, use in uses.items() if use.startswith("needed")]
    assert needed == [*REQUIRED_RECORD_COLUMNS, *METADATA_IDS]
    constant = [column for column, use in uses.items() if "--value" in use]
    assert constant == list(CONSTANT_COLUMNS)


def names_in(cell: str) -> list[str]:
    """The code in a table cell."""
    return re.findall(r"`([^`]+)`", cell)


def test_every_documented_variable_is_read_and_every_read_one_is_documented() -> None:
    files = [
        file
        for name in SOURCES
        for file in (PROJECT / name, *(PROJECT / name).rglob("*"))
        if file.suffix in ("", ".py", ".yml", ".sh") and file.is_file()
    ]
    read = {name for file in files for name in VARIABLE.findall(file.read_text())}
    told = {name for document in DOCUMENTS for name in VARIABLE.findall(document.read_text())}
    assert told == read


@pytest.mark.parametrize("document", DOCUMENTS, ids=names_of(DOCUMENTS))
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    for link in links_in(document):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def links_in(document: Path) -> list[str]:
    """Links into the project, without pictures, which another test checks."""
    text = re.sub(r"!\[[^\]]*\]\([^)]+\)", "", document.read_text())
    # links that begin with an exclamation mark belong to dbt's site
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if not OUTSIDE.search(link)]


def test_every_picture_is_there_and_described() -> None:
    for document in DOCUMENTS:
        for words, path in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", document.read_text()):
            assert len(words.split()) > 5, path
            assert (document.parent / path).exists(), f"{path}: the Makefile shows how to create it"


def test_every_command_is_run_by_a_test() -> None:
    on_servers = run_on_servers()
    known = (*RUN_IN, *on_servers, *NOT_RUN)
    assert [line for line in commands() if not line_is_of(line, known)] == []
    said = {command for command in RUN_IN if any(line_is_of(one, (command,)) for one in commands())}
    assert said == set(RUN_IN)
    unproved = [command for command, place in RUN_IN.items() if not is_called(*place)]
    assert unproved == []


def test_a_text_that_is_not_called_runs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    parts = {
        "a comment": "# main('x')\ndef test_it():\n    pass",
        "a text": "def test_it():\n    assert \"main('x')\"",
        "a name": "from it import main\ndef test_it():\n    assert main",
        "other words": "def test_it():\n    main('y')",
        "a skipped test": "@pytest.mark.skip\ndef test_it():\n    main('x')",
        "no test": "def it():\n    main('x')",
        "a call": "def test_it():\n    main('x')",
        "a call of a fixture": "def it():\n    main('x')\ndef test_it(it):\n    pass",
    }
    found = {}
    for name, text in parts.items():
        file.write_text(text)
        found[name] = is_called(str(file), "main", "'x'")
    assert [name for name, is_so in found.items() if is_so] == ["a call", "a call of a fixture"]


def run_on_servers() -> list[str]:
    """The targets of the Makefile that build servers run, and what these need."""
    makefile = (PROJECT / "Makefile").read_text()
    lines = (PROJECT / ON_SERVERS[0]).read_text().splitlines()
    for job in yaml.safe_load((PROJECT / ON_SERVERS[1]).read_text())["jobs"].values():
        lines += job.get("strategy", {}).get("matrix", {}).get("command", [])
        lines += [step.get("run", "") for step in job["steps"]]
    found = [
        target for line in lines for target in re.findall(r"^[^#]*?\bmake ([a-z][a-z-]*)", line)
    ]
    needed = dict(re.findall(r"^([a-z-]+): ([^#\n]*)", makefile, re.MULTILINE))
    for target in found:
        # also those that only some jobs need
        needs = re.findall(r"[a-z-]+", needed[target].replace("$(READY)", "setup"))
        found += [one for one in needs if one in needed and one not in found]
    return [f"make {target}" for target in found]


def is_called(path: str, name: str, words: str) -> bool:
    """Whether a test of the file, or what it uses there, calls the function with these words.

    What a file of helpers defines is used if a test imports it.
    """
    tree = ast.parse((PROJECT / path).read_text())
    defined = (ast.FunctionDef, ast.ClassDef)
    parts = {one.name: one for one in tree.body if isinstance(one, defined)}
    is_helper = "helpers" in Path(path).parts
    waiting = [one for one in parts if is_helper or one.startswith("test_")]
    if is_helper:
        imported = f"from helpers.{Path(path).stem} import"
        assert any(imported in file.read_text() for file in (PROJECT / "tests").rglob("test_*.py"))
    seen: set[str] = set()
    while waiting:
        part = parts[waiting.pop()]
        if part.name in seen or any("mark.skip" in ast.unparse(one) for one in part.decorator_list):
            continue
        seen.add(part.name)
        for node in ast.walk(part):
            if is_call(node, name) and words in ast.unparse(node):
                return True
            used = {ast.Name: "id", ast.arg: "arg", ast.Attribute: "attr"}.get(type(node))
            if used and getattr(node, used) in parts:
                waiting.append(getattr(node, used))
    return False


def is_call(node: ast.AST, name: str) -> bool:
    """Whether this is a call of a function of that name."""
    return isinstance(node, ast.Call) and f".{ast.unparse(node.func)}".endswith(f".{name}")


def line_is_of(line: str, known: tuple[str, ...]) -> bool:
    """Whether a line is one of the commands, with or without arguments."""
    return any(line == command or line.startswith(f"{command} ") for command in known)


def test_every_model_has_its_own_yaml() -> None:
    models = [*(PROJECT / "models").rglob("*.sql"), *(PROJECT / "models").rglob("*.py")]
    assert [model.name for model in models if not model.with_suffix(".yml").exists()] == []
