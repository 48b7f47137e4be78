"""A project that renames our schemas: builds, operations and checks all use the new names."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import Warehouse
from helpers.consumer_builds import write_lake
from helpers.consumer_projects import consumer, rename

# our nodes in another project, without its own tests; with our own profile, more of them are on
OURS_ALONE = [
    *("--select", "+package:sync_logs"),
    *("--exclude", "package:customer_analytics,test_type:singular", "tag:full_scan"),
    *("test_type:unit", "resource_type:exposure"),
]
# without the prefix of the target
SCHEMA_MACRO = """\
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name or target.schema }}
{%- endmacro %}
"""
RECORD = {"organization_id": "77", "identifier": "c3"}


def use_our_profile(configuration: dict[str, Any]) -> None:
    """Rename the schemas of a project that is built in the process that all tests share."""
    rename(configuration)
    configuration["profile"] = "sync_logs"


@pytest.fixture
def renamed(
    warehouse: Callable[[str], Warehouse], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Warehouse:
    # the settings of the project expect its lake here
    monkeypatch.setenv("CUSTOMER_HOME", str(tmp_path))
    project = consumer(tmp_path / "project", use_our_profile)
    (project / "macros" / "generate_schema_name.sql").write_text(SCHEMA_MACRO)
    write_lake(project, 1)
    return replace(warehouse("theirs"), project=project)


def test_everything_follows_to_renamed_schemas(renamed: Warehouse, tmp_path: Path) -> None:
    assert renamed.dbt("build", *OURS_ALONE), renamed.failures()
    # this model is in Python and reads its own tables
    assert "int_files__audited" in {one.node.name for one in renamed.results}
    check_queries(renamed)
    doctor(renamed)
    assert line_of(renamed, "schemas").split() == ["schemas", "logs,", "logs_state"]
    assert "5, 0 not settled, 0 pruned" in line_of(renamed, "runs ")

    pruned = renamed.operation("sync_logs.prune_sync_logs", retention_days=7, dry_run=False)
    assert pruned, renamed.failures()
    check_queries(renamed)
    assert renamed.operation("sync_logs.purge_record", **RECORD), renamed.failures()
    check_queries(renamed)
    assert renamed.dbt("build", *OURS_ALONE), renamed.failures()
    check_queries(renamed)
    doctor(renamed)
    assert "5, 0 not settled, 4 pruned" in line_of(renamed, "runs ")

    another = tmp_path / "another"
    run = another / "sync_tracking_datasets" / "77" / "1" / "1"
    run.mkdir(parents=True)
    (run / "metadata.json").write_text("{}")
    variables = json.dumps({"sync_logs_lake_path": str(another)})
    assert not renamed.dbt("build", variables=variables)
    assert "The schema logs was built from the lake " in renamed.failures()


def doctor(built: Warehouse) -> None:
    assert built.operation("sync_logs.sync_logs_doctor"), built.failures()
    check_queries(built)


def check_queries(built: Warehouse) -> None:
    """Assert that the last command did not query any schema by its default name."""
    assert built.queries
    assert [query for query in built.queries if "sync_logs_state" in query] == []


def line_of(built: Warehouse, start: str) -> str:
    return next(line for line in built.said if line.strip().startswith(start))
