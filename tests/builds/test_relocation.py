"""A moved warehouse whose old and new paths have characters with a meaning in SQL or Derby."""

import subprocess
from pathlib import Path

import pyspark

from dbt_sync_logs.relocation import _derby, follow_move
from helpers.project import HOSTILE

NAMES = {
    "APP.DBS": "NAME varchar(128), DB_LOCATION_URI varchar(4000)",
    "APP.SDS": "LOCATION varchar(4000)",
    "APP.SERDE_PARAMS": "PARAM_VALUE varchar(4000)",
}


def create(catalog: Path) -> None:
    """Create an empty catalog, as Hive does."""
    jars = Path(pyspark.__file__).parent / "jars"
    command = [
        *("java", "-cp", str(jars / "*"), f"-Dderby.stream.error.file={catalog}.log"),
        *(f"-Dij.database=jdbc:derby:;databaseName={catalog};create=true",),
        "org.apache.derby.tools.ij",
    ]
    subprocess.run(command, input="exit;", capture_output=True, text=True, check=True)


def locations(home: Path) -> str:
    """The locations in the tables of a catalog."""
    told: str = _derby(
        home,
        "maximumdisplaywidth 5000;",
        *(f"select {columns.split()[-2]} from {table};" for table, columns in NAMES.items()),
    )
    return told


def test_a_moved_catalog_follows_to_any_path(tmp_path: Path) -> None:
    old, new = tmp_path / HOSTILE, tmp_path / "new" / f"{HOSTILE} \N{GRINNING FACE}"
    (old / "logs").mkdir(parents=True)
    text = str(old).replace("'", "''")
    create(old / "metastore")
    _derby(
        old,
        *(f"create table {table} ({columns});" for table, columns in NAMES.items()),
        f"insert into APP.DBS values ('default', 'file:{text}/warehouse');",
        f"insert into APP.SDS values ('file:{text}/warehouse/a.db/t'), ('file:{text}2/else');",
        f"insert into APP.SERDE_PARAMS values ('file:{text}/warehouse/a.db/t');",
    )
    assert follow_move(old) is None
    new.parent.mkdir()
    old.rename(new)
    assert follow_move(new) == old
    told = locations(new)
    assert told.count(f"file:{new}/warehouse/a.db/t") == 2
    assert f"file:{old}2/else" in told
    assert f"file:{old}/" not in told
    assert follow_move(new) is None
