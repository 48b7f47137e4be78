"""Tables of vendors in a real PostgreSQL server, read by Spark without a second copy."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from helpers.project import FEW_TASKS, PROJECT, SHORT_LIVED, run_checks
from long.postgresql_server import program, running_postgresql

pytestmark = [
    pytest.mark.skipif(program("initdb") is None, reason="PostgreSQL is not installed"),
    pytest.mark.skipif(
        not any((PROJECT / "jars" / "postgresql").glob("*.jar")),
        reason="the driver is not there: make jars FORMAT=postgresql",
    ),
]


def test_tables_in_a_database_are_read_where_they_are(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    # the server runs as another user, for whom the folders of pytest are closed
    with TemporaryDirectory() as place, running_postgresql(Path(place) / "server") as server:
        told = run_checks(
            "long.postgresql_checks",
            own,
            variables={
                **FEW_TASKS,
                **SHORT_LIVED,
                **server.variables(),
                "SYNC_LOGS_CATALOG": "hive",
                "SYNC_LOGS_HOME": str(own / "home"),
            },
        )
        log = server.log
    assert "jdbc.nowhere.sync_changelog cannot be read" in " ".join(told.stdout.split())
    # only new and changed runs are read, by their ids as numbers, in the database itself
    for run, table in (4711, "hightouch_audit.sync_changelog"), (5711, "census.sync_log"):
        reads = [line for line in log.splitlines() if str(run) in line and "SELECT" in line]
        asked = re.compile(rf'"sync_run_id" (= {run}\b|IN \([^)]*\b{run}\b)')
        found = [line for line in reads if asked.search(line)]
        assert any(table.replace(".", '"."') in line for line in found), reads

        # the database counts the rows of each run
        counts = [line for line in log.splitlines() if "GROUP BY" in line and "COUNT(*)" in line]
        assert any(table.replace(".", '"."') in line for line in counts), counts
    # also what the rows of Census say about their run, in the same query
    assert any('"destination_id"' in line and "census" in line for line in counts), counts

    secret = server.password
    assert secret not in told.stdout + told.stderr
    files = [file for file in own.rglob("*") if file.is_file()]
    assert files != []
    assert [file for file in files if secret.encode() in file.read_bytes()] == []
