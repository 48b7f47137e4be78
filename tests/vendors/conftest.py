"""What the tests of this folder share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Warehouse, drop
from vendors.three_builds import ThreeBuilds, three_builds

SCHEMA = "vendors"


@pytest.fixture(scope="session")
def builds(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreeBuilds]:
    """The tables of all vendors after each of three builds."""
    folder = tmp_path_factory.mktemp("vendors")
    yield three_builds(Warehouse(SCHEMA, folder / "lake", folder / "target"), folder)
    drop(SCHEMA, home)
