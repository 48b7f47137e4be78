"""All pages that are written from the project, with the outputs of their examples."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .configuration import configuration_page, settings_of
from .manifest import analyses_of, tables_of
from .operations import operations_page
from .rendering import common_columns, index_page, questions_page, table_page
from .rooms import with_rooms


def all_pages(
    project: Path,
    manifest: Mapping[str, Any],
    examples: Mapping[str, str],
    answers: Mapping[str, str],
    operations: Mapping[str, str],
) -> dict[str, str]:
    """Texts of all pages by their path below `docs`.

    `examples` are the outputs of the examples by table, `answers` those of the queries by name,
    `operations` those of commands by their first word.
    """
    tables, analyses = tables_of(manifest), analyses_of(manifest)
    common = common_columns(tables)
    return {
        **{
            f"tables/{table.name}.md": table_page(table, analyses, examples[table.name], common)
            for table in tables
        },
        "tables/README.md": index_page(tables, common),
        "questions.md": questions_page(analyses, answers),
        "configuration.md": configuration_page(
            settings_of((project / "dbt_project.yml").read_text())
        ),
        "operations.md": operations_page(
            (project / "docs" / "operations.md").read_text(), operations
        ),
        "architecture.md": with_rooms((project / "docs" / "architecture.md").read_text(), manifest),
    }
