"""The pages of `docs/` as `make docs` would write them now, with their existing outputs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers.project import PROJECT
from scripts.pages import (
    analyses_of,
    configuration_page,
    index_page,
    outputs_in,
    questions_page,
    settings_of,
    table_page,
    tables_of,
    with_rooms,
)

DOCS = PROJECT / "docs"
TABLES = DOCS / "tables"


def manifest_in(target: Path) -> Mapping[str, Any]:
    """The manifest that dbt wrote."""
    manifest: Mapping[str, Any] = json.loads((target / "manifest.json").read_text())
    return manifest


def output_on(page: Path, name: str) -> str:
    """The output of an example on a committed page; empty if it has none."""
    return outputs_in(page.read_text()).get(name, "") if page.exists() else ""


def pages_now(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The texts of all generated pages, by their path below `docs`."""
    tables, analyses = tables_of(manifest), analyses_of(manifest)
    outputs = {one.name: output_on(DOCS / "questions.md", one.name) for one in analyses}
    pages = {
        "tables/README.md": index_page(tables, analyses),
        "questions.md": questions_page(analyses, outputs),
        "configuration.md": configuration_page(
            settings_of((PROJECT / "dbt_project.yml").read_text())
        ),
        "architecture.md": with_rooms((DOCS / "architecture.md").read_text(), manifest),
    }
    for table in tables:
        output = output_on(TABLES / f"{table.name}.md", table.name)
        pages[f"tables/{table.name}.md"] = table_page(table, analyses, output)
    return pages
