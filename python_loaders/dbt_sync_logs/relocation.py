"""A warehouse that was moved or copied: its catalog follows.

The catalog names every table by its absolute path. After a move it would find nothing; after a copy
it would go on writing into the original. So the place is remembered beside the catalog, and when it
is another one, the paths in the catalog are changed before Spark starts, in one transaction.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from .checks import EmbeddedSparkError, java_command

# Where Hive's catalog keeps locations: table, column.
LOCATIONS = (
    ("APP.DBS", "DB_LOCATION_URI"),
    ("APP.SDS", "LOCATION"),
    ("APP.SERDE_PARAMS", "PARAM_VALUE"),
)
# What needs no escaping in a URI, nor in SQL.
PLAIN = re.compile(r"[\w./~+-]+", re.ASCII)


def follow_move(home: Path) -> Path | None:
    """Make the catalog of a moved or copied home name its tables where they are now.

    Returns where they were, or None if they have not moved. The caller holds the catalog.
    """
    marker = home / "location.txt"
    if marker.exists() and marker.read_text() == str(home):
        return None
    moved_from = None
    if (home / "metastore" / "service.properties").exists():
        old = _home_of_catalog(home)
        if old not in (None, home):
            _change_locations(home, f"file:{old}", f"file:{home}")
            moved_from = old
    temporary = marker.with_suffix(".new")
    temporary.write_text(str(home))
    temporary.replace(marker)
    return moved_from


def _home_of_catalog(home: Path) -> Path | None:
    told = _derby(
        home,
        "maximumdisplaywidth 5000;",
        "select DB_LOCATION_URI from APP.DBS where NAME = 'default';",
    )
    found = re.search(r"^file:(/\S.*?)/warehouse/?\s*$", told, re.MULTILINE)
    return Path(found.group(1)) if found else None


def _change_locations(home: Path, old: str, new: str) -> None:
    if not (PLAIN.fullmatch(old.removeprefix("file:")) and PLAIN.fullmatch(str(home))):
        raise EmbeddedSparkError(
            f"The warehouse has moved from {old} to {home}, and one of these paths has characters "
            "that its catalog cannot follow. Move it to a path of letters, digits and dashes."
        )
    statements = [
        f"update {table} set {column} = '{new}' || substr({column}, {len(old) + 1}) "
        f"where {column} = '{old}' or substr({column}, 1, {len(old) + 1}) = '{old}/';"
        for table, column in LOCATIONS
    ]
    _derby(home, "autocommit off;", *statements, "commit;")


def _derby(home: Path, *statements: str) -> str:
    """Run statements in the catalog with Derby's own tool, which comes with Spark."""
    import pyspark

    root = os.environ.get("SPARK_HOME") or str(Path(pyspark.__file__).parent)
    java = java_command() or "java"
    jars = os.pathsep.join(str(jar) for jar in Path(root, "jars").glob("derby*.jar"))
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "statements.sql"
        lines = (f"connect 'jdbc:derby:;databaseName={home}/metastore';", *statements, "exit;")
        script.write_text("\n".join(lines) + "\n")
        told = subprocess.run(
            [
                *(java, "-cp", jars, f"-Dderby.stream.error.file={home}/logs/derby.log"),
                *("org.apache.derby.tools.ij", str(script)),
            ],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
    error = re.search(r"^ERROR .*$|^JAVA ERROR.*$", told, re.MULTILINE)
    if error:
        raise EmbeddedSparkError(
            f"The catalog of the moved warehouse {home} cannot be changed: {error.group(0)} "
            "Move it back to where it was."
        )
    return told
