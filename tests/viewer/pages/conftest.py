"""One warehouse for all files of this folder, and what its pages answer.

The expected values come from the lists that the lake is written from. The files run in the order of
their names: the end of `test_syncs.py` builds again.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from starlette.testclient import TestClient

from conftest import SCHEMA, Warehouse, drop
from helpers import viewer_lake as lake
from helpers.unit_tests import INTERPRETED
from sync_logs_viewer.answers import Answers
from sync_logs_viewer.masks import Mask
from sync_logs_viewer.warehouse import SessionWarehouse
from viewer.reading import browser

AS_OF = json.dumps({"sync_logs_as_of": lake.NOW.isoformat()})
SYNC = {"organization_id": "o", "sync_id": "s"}
FIRST, SECOND, THIRD = ({**SYNC, "sync_run_id": number} for number in ("1", "2", "3"))
DISPLAYED = {"succeeded": "Success", "rejected": "Rejected", "NULL": "Invalid"} | {
    "DUPLICATE": "Invalid"
}


@pytest.fixture(scope="package")
def package_warehouse(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("pages")
    yield Warehouse(SCHEMA, folder / "lake", folder / "target")
    drop(SCHEMA, home)


@pytest.fixture(scope="package")
def built(package_warehouse: Warehouse) -> Warehouse:
    lake.write_lake(package_warehouse.lake, lake.LAKE + lake.AT_THE_EDGE)
    assert package_warehouse.builds(AS_OF), package_warehouse.failures()
    return package_warehouse


def interpreting() -> SparkSession:
    """A session that interprets queries: nearly all of them run once, so compiling takes longer."""
    session = SparkSession.builder.getOrCreate().newSession()
    for name, value in INTERPRETED.items():
        session.conf.set(name, value)
    return session


@pytest.fixture(scope="package")
def warehouse(built: Warehouse) -> SessionWarehouse:
    return SessionWarehouse(interpreting, built.schema, "this process")


@pytest.fixture(scope="package")
def shown(warehouse: SessionWarehouse) -> Iterator[TestClient]:
    with browser(Answers(warehouse, Mask())) as client:
        yield client


def data(client: TestClient, page: str, **parameters: str) -> Any:
    response = client.get(f"{page}.json", params=parameters)
    assert response.status_code == 200, response.text
    return response.json()


def expected_rows(records: Any, **wanted: str) -> list[tuple[Any, ...]]:
    rows = [(one["identifier"], DISPLAYED[one["status"]], one["operation"]) for one in records]
    return [row for row in rows if wanted.get("status") in (None, row[1])]


def found_rows(rows: Any) -> list[tuple[Any, ...]]:
    return [(one["identifier"], one["display_status"], one["operation"]) for one in rows]
