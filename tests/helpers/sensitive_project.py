"""The project without a limit on changes since a base, because test lakes have few records.

It also has one more state table than ours (`added_table`).
"""

from pathlib import Path

from pyspark.sql import SparkSession

from helpers.added_table import add_table
from helpers.project import copy_project

CONDITION = "{{ changed_count }} <= {{ base_count }} / 4"
FEW_STATES = "return(100000)"
# some checkpoints are still full, so that later runs meet both kinds
MORE_OFTEN = "pmod({{ changed_count }}, 3) != 1"


def write_sensitive_project(folder: Path) -> Path:
    """Write the project: a copy of ours with other limits for delta checkpoints."""
    # without the unit tests of the limit
    copy_project(folder, "*__deltas__unit_tests.yml")
    macros = folder / "macros" / "state" / "checkpoints.sql"
    text = macros.read_text()
    for limit in (CONDITION, FEW_STATES):
        assert limit in text, f"Expected the limit {limit} in {macros}"
    macros.write_text(text.replace(CONDITION, MORE_OFTEN).replace(FEW_STATES, "return(-1)"))
    add_table(folder)
    return folder


def stored_changes(schema: str) -> int:
    """The number of delta checkpoints in all builds whose manifests still exist."""
    runs = SparkSession.builder.getOrCreate().table(f"{schema}_state.int_runs__planned")
    found = runs.where("checkpoint_base_position is not null").select(
        "checkpoint_load_id", "organization_id", "sync_id", "position"
    )
    return int(found.distinct().count())
