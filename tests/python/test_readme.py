"""The README names what is there: commands, tables, settings, files."""

import re
from typing import Any

import pytest
import yaml

from project import PROJECT

README = (PROJECT / "README.md").read_text()
DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md"),
    *(str(path.relative_to(PROJECT)) for path in PROJECT.glob("docs/**/*.md")),
]
BIN = ".venv/bin/"
# each command of the documents: the file that runs it, and the words by which it does
RUN_IN = {
    "make setup": ("Makefile", "test: $(READY)"),
    "make lint": ("Makefile", "test: $(READY) lint"),
    "make serve": (
        "tests/python/test_spark_connect.py",
        "from scripts.serve.process import running",
    ),
    "make test": (".ci/run", "make test"),
    "make demo": ("tests/python/test_examples.py", "walkthrough.main()"),
    "dbt build": ("tests/python/test_logs.py", '("build",)'),
    "dbt build --vars 'sync_logs_lake_moved: true'": (
        "tests/python/test_moved_lake.py",
        "sync_logs_lake_moved",
    ),
    "dbt show --inline": ("tests/python/test_examples.py", '"show", "--inline"'),
    "dbt docs generate": ("tests/python/test_examples.py", '"docs", "generate"'),
    "dbt run-operation sync_logs_doctor": ("tests/python/test_migration.py", "sync_logs_doctor"),
    "dbt run-operation sync_logs_collect": ("tests/python/test_migration.py", "sync_logs_collect"),
    "dbt run-operation sync_logs_compact": ("tests/python/test_migration.py", "sync_logs_compact"),
    "dbt run-operation prune_sync_logs": ("tests/python/retained.py", "prune_sync_logs"),
    "dbt run-operation purge_record": ("tests/python/retained.py", "purge_record"),
    "python -m python_loaders load": ("python_loaders/tests/test_cli.py", '"load"'),
}
# too long for each change, needs what a test cannot have, or is not ours
NOT_RUN = ("make test-long", "make bench", "make docs", "export ", "tar ")


def rows_under(heading: str) -> list[list[str]]:
    """Cells of the table under a heading, without its head."""
    section = README.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


def test_the_tables_are_the_documented_models() -> None:
    named = {name for row in rows_under("The tables") for name in re.findall(r"`(\w+)`", row[0])}
    assert named == {model.stem for model in (PROJECT / "models" / "marts").rglob("*.sql")}


def test_the_settings_are_those_of_the_project() -> None:
    project: dict[str, Any] = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())
    assert {row[0].strip("`") for row in rows_under("Settings")} == set(
        project["vars"]["sync_logs"]
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_to_a_file(document: str) -> None:
    text = (PROJECT / document).read_text()
    folder = (PROJECT / document).parent
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (folder / link).exists()] == []


def commands() -> list[str]:
    """Every line of the documents' shell blocks, without comments and without where dbt is."""
    blocks = [
        block
        for document in DOCUMENTS
        for block in re.findall(
            r"^```bash\n(.*?)^```", (PROJECT / document).read_text(), re.MULTILINE | re.DOTALL
        )
    ]
    lines = [line.split("  #")[0].split(" # ")[0].strip() for line in "".join(blocks).splitlines()]
    return [
        line.removeprefix(BIN).replace(" --profiles-dir profiles", "") for line in lines if line
    ]


def test_every_command_is_run_by_a_test() -> None:
    known = (*RUN_IN, *NOT_RUN)
    assert [line for line in commands() if not line.startswith(known)] == []
    said = {command for command in RUN_IN if any(one.startswith(command) for one in commands())}
    assert said == set(RUN_IN)
    unproved = [
        command
        for command, (path, words) in RUN_IN.items()
        if words not in (PROJECT / path).read_text()
    ]
    assert unproved == []


def test_every_model_has_its_own_yaml() -> None:
    models = [*(PROJECT / "models").rglob("*.sql"), *(PROJECT / "models").rglob("*.py")]
    assert [model.name for model in models if not model.with_suffix(".yml").exists()] == []
