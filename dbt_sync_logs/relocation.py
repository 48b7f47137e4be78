"""Updates the catalog of a warehouse that was moved or copied.

The catalog has the absolute path of every table. After a move it would find no table; after a copy
it would keep writing into the original. So the location is stored next to the catalog. If it has
changed, the paths in the catalog are updated in one transaction before Spark starts.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from .checks import EmbeddedSparkError
from .java import java_command

# Where Hive's catalog stores locations: table, column.
LOCATIONS = (
    ("APP.DBS", "DB_LOCATION_URI"),
    ("APP.SDS", "LOCATION"),
    ("APP.SERDE_PARAMS", "PARAM_VALUE"),
)


def follow_move(home: Path) -> Path | None:
    """Update the catalog of a moved or copied home with the current location of its tables.

    Returns the old location, or None if they have not moved. The caller must hold the catalog.
    """
    marker = home / "location.txt"
    if marker.exists() and marker.read_text(encoding="utf-8") == str(home):
        return None
    moved_from = None
    if (home / "metastore" / "service.properties").exists():
        old = _home_of_catalog(home)
        if old not in (None, home):
            _change_locations(home, f"file:{old}", f"file:{home}")
            moved_from = old
    temporary = marker.with_suffix(".new")
    temporary.write_text(str(home), encoding="utf-8")
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
    # Derby counts characters as Java does: in UTF-16 code units
    length = len(old.encode("utf-16-le")) // 2
    statements = [
        f"update {table} set {column} = {_literal(new)} || substr({column}, {length + 1}) "
        f"where {column} = {_literal(old)} "
        f"or substr({column}, 1, {length + 1}) = {_literal(old + '/')};"
        for table, column in LOCATIONS
    ]
    _derby(home, "autocommit off;", *statements, "commit;")


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _derby(home: Path, *statements: str) -> str:
    """Run statements in the catalog with Derby's own tool, which comes with Spark."""
    import pyspark

    root = os.environ.get("SPARK_HOME") or str(Path(pyspark.__file__).parent)
    java = java_command() or "java"
    jars = os.pathsep.join(str(jar) for jar in Path(root, "jars").glob("derby*.jar"))
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "statements.sql"
        script.write_text("\n".join((*statements, "exit;")) + "\n", encoding="utf-8")
        told = subprocess.run(
            [
                *(java, "-cp", jars, f"-Dderby.stream.error.file={home}/logs/derby.log"),
                # so that no path is part of a statement or depends on a character set
                f"-Dij.database=jdbc:derby:;databaseName={home}/metastore",
                *("-Dderby.ui.codeset=UTF8", "org.apache.derby.tools.ij", str(script)),
            ],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        ).stdout
    error = re.search(r"^ERROR .*$|^JAVA ERROR.*$", told, re.MULTILINE)
    if error:
        raise EmbeddedSparkError(
            f"The catalog of the moved warehouse {home} cannot be changed: {error.group(0)} "
            "Move it back to where it was."
        )
    return told
