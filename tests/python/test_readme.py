"""The README names what is there: commands, tables, settings, files."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
README = (PROJECT / "README.md").read_text()
DOCUMENTS = ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in PROJECT.glob("docs/*.md"))]


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


def test_every_model_has_its_own_yaml() -> None:
    models = [*(PROJECT / "models").rglob("*.sql"), *(PROJECT / "models").rglob("*.py")]
    assert [model.name for model in models if not model.with_suffix(".yml").exists()] == []
