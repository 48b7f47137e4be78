"""Which warehouse the viewer reads in a project that uses the package, and a Spark that is gone."""

from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pyarrow as pa
import pytest

from sync_logs_viewer.questions import catalog
from sync_logs_viewer.warehouse import SessionWarehouse, WarehouseError
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


def test_the_name_of_a_schema_is_quoted() -> None:
    """Some catalogs allow a dash; those of Spark itself then say that there is no such schema."""
    session = MagicMock()
    SessionWarehouse(lambda: session, "ch-`123", "", lambda *_: pa.table({})).ask(catalog.syncs())
    session.sql.assert_called_once_with("use `ch-``123`")


def test_an_unreachable_spark_is_reported_each_time() -> None:
    opened = []

    def open_session() -> Any:
        opened.append(1)
        raise ConnectionError("UNAVAILABLE: Connection refused")

    warehouse = SessionWarehouse(open_session, "s", "sc://localhost:1")
    for _ in range(2):
        with pytest.raises(WarehouseError, match="Spark does not answer at sc://localhost:1"):
            warehouse.ask(catalog.syncs())
    assert len(opened) == 2


@pytest.mark.parametrize(
    "said", ["UNAVAILABLE: x", "Connection refused", "[INVALID_HANDLE.SESSION_NOT_FOUND] gone"]
)
def test_a_lost_session_is_opened_again(said: str) -> None:
    opened: list[MagicMock] = []
    errors = [ConnectionError(said)]

    def open_session() -> MagicMock:
        opened.append(MagicMock())
        return opened[-1]

    def read(session: Any, query: Any) -> pa.Table:
        if errors:
            raise errors.pop()
        return pa.table({})

    warehouse = SessionWarehouse(open_session, "s", "here", read)
    with pytest.raises(WarehouseError, match="does not answer at here"):
        warehouse.ask(catalog.syncs())
    for _ in range(2):
        warehouse.ask(catalog.syncs())
    assert len(opened) == 2
