"""Tables in a catalog of Iceberg behind a REST server, with a dash in the name of the catalog."""

from pathlib import Path

import pytest

from helpers.project import FEW_TASKS, SHORT_LIVED, run_checks
from long.iceberg_rest_server import NEEDED, running_server
from long.s3_server import jars_in

pytestmark = pytest.mark.skipif(
    not all(any(jars_in(name).glob("*.jar")) for name in NEEDED),
    reason=f"the jars are not there: {', '.join(f'make jars FORMAT={name}' for name in NEEDED)}",
)


def test_all_tables_are_right_in_a_catalog_behind_a_rest_server(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    with running_server(tmp_path / "server") as server:
        own = {
            **{"SYNC_LOGS_TARGET": "iceberg_rest", "SYNC_LOGS_FILE_FORMAT": "iceberg"},
            **{"SYNC_LOGS_ICEBERG_URI": server.url, "SYNC_LOGS_HOME": str(folder / "home")},
        }
        for phase, kind in (("first", "hive"), ("restarted", "in-memory")):
            variables = FEW_TASKS | SHORT_LIVED | own | {"SYNC_LOGS_CATALOG": kind}
            run_checks("long.iceberg_rest_checks", phase, folder, variables=variables)
