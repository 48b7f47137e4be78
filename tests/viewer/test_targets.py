"""Which warehouse the viewer reads in a project that uses the package."""

from pathlib import Path

import pytest

from sync_logs_viewer.warehouse.connections import ThriftWarehouse
from sync_logs_viewer.warehouse.targets import TargetError, warehouse_of_target

PROFILE = """
shop:
  target: dev
  outputs:
    dev: {type: spark, method: thrift, host: h, port: 10001, schema: analytics, threads: 1}
    mine: {type: spark, method: thrift, host: h, port: 10001, user: me, schema: own, threads: 1}
    embedded: {type: spark, method: session, host: h, schema: analytics, threads: 1}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "profiles.yml").write_text(PROFILE)
    (tmp_path / "dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    return tmp_path


@pytest.mark.parametrize(
    ("target", "schema", "user", "marts"),
    [
        (None, None, "viewer", "analytics_sync_logs"),
        ("mine", None, "me", "own_sync_logs"),
        (None, "marts", "viewer", "marts"),
    ],
)
def test_a_thrift_server(
    project: Path, target: str | None, schema: str | None, user: str, marts: str
) -> None:
    found = warehouse_of_target(project, target, project, schema, may_start=False)
    assert found == ThriftWarehouse("h", 10001, user, marts)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("embedded", "'embedded' has its own Spark, and while one process has its catalog"),
        ("unknown", "does not have a target named 'unknown'"),
    ],
)
def test_a_target_that_cannot_be_read(project: Path, target: str, words: str) -> None:
    with pytest.raises(TargetError, match=words):
        warehouse_of_target(project, target, project, None, may_start=False)
