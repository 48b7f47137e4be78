"""The project, but with any number of changes since a base: lakes of tests have few records.

It also has a table of the state that ours has not (`added_table`).
"""

from pathlib import Path
from shutil import copytree, ignore_patterns

from pyspark.sql import SparkSession

from helpers.added_table import add_table
from helpers.project import PROJECT

PARTS = ("models", "macros", "seeds", "tests", "analyses", "dbt_packages")
CONDITION = "{{ changed_count }} <= {{ base_count }} / 4"
FEW_STATES = "return(100000)"
# the unit tests of the limit, and what Python has compiled
LEFT_OUT = ("*__deltas__unit_tests.yml", "__pycache__")
# now and then a checkpoint is whole all the same, so that what comes after it meets both
MORE_OFTEN = "pmod({{ changed_count }}, 3) != 1"


def write_sensitive_project(folder: Path) -> Path:
    """Write the project: a copy of ours with other limits for checkpoints that have a base."""
    for part in PARTS:
        copytree(PROJECT / part, folder / part, ignore=ignore_patterns(*LEFT_OUT))
    for name in ("dbt_project.yml", "packages.yml", "selectors.yml"):
        (folder / name).write_text((PROJECT / name).read_text())
    macros = folder / "macros" / "state" / "checkpoints.sql"
    text = macros.read_text()
    for limit in (CONDITION, FEW_STATES):
        assert limit in text, f"Expected the limit {limit} in {macros}"
    macros.write_text(text.replace(CONDITION, MORE_OFTEN).replace(FEW_STATES, "return(-1)"))
    add_table(folder)
    return folder


def stored_changes(schema: str) -> int:
    """How many checkpoints had a base, in all builds whose manifests are still there."""
    runs = SparkSession.builder.getOrCreate().table(f"{schema}_state.int_runs__planned")
    found = runs.where("checkpoint_base_position is not null").select(
        "checkpoint_load_id", "organization_id", "sync_id", "position"
    )
    return int(found.distinct().count())
