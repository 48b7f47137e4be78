"""The pages of `docs/` as `make docs` would write them now, with their existing outputs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helpers.project import PROJECT
from scripts.pages import all_pages, analyses_of, operation_outputs, outputs_in, tables_of

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
    examples = {
        table.name: output_on(TABLES / f"{table.name}.md", table.name)
        for table in tables_of(manifest)
    }
    answers = {
        one.name: output_on(DOCS / "questions.md", one.name) for one in analyses_of(manifest)
    }
    operations = operation_outputs((DOCS / "operations.md").read_text())
    return all_pages(PROJECT, manifest, examples, answers, operations)
