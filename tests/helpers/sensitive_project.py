"""The project with other limits for checkpoints, because test lakes have few records.

It also has one more state table than ours (`added_table`).
"""

from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from helpers.added_table import add_table
from helpers.project import copy_project

CONDITION = (
    "{{ states_of_all }} <= {{ sync_logs.most_states_rewritten() }}\n"
    "        or {{ record_count }} > {{ states }} / 4"
)
# some syncs get a checkpoint and others none, so that later runs meet both
NOW_AND_THEN = "pmod({{ record_count }}, 3) = 1"


def write_sensitive_project(folder: Path) -> Path:
    """Write the project: a copy of ours with other limits for checkpoints."""
    # without the unit tests of the limit
    copy_project(folder, "*__checkpoints__unit_tests.yml")
    macros = folder / "macros" / "state" / "checkpoints.sql"
    text = macros.read_text()
    assert CONDITION in text, f"Expected the limit {CONDITION} in {macros}"
    macros.write_text(text.replace(CONDITION, NOW_AND_THEN))
    add_table(folder)
    return folder


def states_from_both(schema: str) -> int:
    """How often a sync has runs after its last checkpoint, in all loads that are not collected."""
    runs = SparkSession.builder.getOrCreate().table(f"{schema}_state.int_runs__planned")
    last = f.max(f.when(f.col("checkpoint_load_id").isNotNull(), f.col("position")))
    syncs = runs.groupBy("load_id", "organization_id", "sync_id").agg(
        last.alias("checkpoint"), f.max("position").alias("last_position")
    )
    return int(syncs.where("checkpoint < last_position").count())
