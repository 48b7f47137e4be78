"""Seeded random histories of Hightouch sources: late, repeated, rewritten and cleaned rows."""

from dataclasses import dataclass
from random import Random

from .hightouch import CHANGELOG, COUNT_COLUMNS, RUNS
from .random_hightouch_rows import (
    SyncDraft,
    changelog_rows,
    random_sync,
    rewritten,
    run_row,
    unfinished,
)
from .random_ids import random_run_ids, random_sync_ids
from .random_steps import Version, arrival_of, as_of, cleaned, present, table_of
from .rows import Row
from .source_history import SourceHistory, SourceStep

ID_COLUMNS = ("sync_id", "sync_run_id", "row_id", "model_id")
TIME_COLUMNS = ("started_at", "finished_at")
OPTIONAL_RUN_COLUMNS = (
    *("primary_key", "destination", "model_name", "model_id", "status", "error"),
    *(*TIME_COLUMNS, *COUNT_COLUMNS),
)


@dataclass(frozen=True)
class Shape:
    """Which tables and columns a source has; late columns are missing in its first steps."""

    name: str
    columns: tuple[str, ...] = ("failure_reason", "fields")
    late_columns: tuple[str, ...] = ()
    # always, never, later or dropped
    runs_table: str = "always"
    has_all_run_columns: bool = True
    has_integer_ids: bool = False


SHAPES = (
    Shape("usual"),
    Shape("integer ids", has_integer_ids=True),
    Shape("failed_reason only", ("failed_reason", "fields")),
    Shape("both reasons", ("failed_reason", "failure_reason", "fields")),
    Shape("renamed reason", ("failed_reason", "failure_reason", "fields"), ("failure_reason",)),
    Shape("no fields", ("failure_reason",)),
    Shape("no runs table", runs_table="never"),
    Shape("runs table later", runs_table="later"),
    Shape("runs table dropped", runs_table="dropped", has_integer_ids=True),
    Shape("few run columns", has_all_run_columns=False),
    Shape("split groups", ("failure_reason", "fields", "split_group")),
    Shape("split groups later", ("failure_reason", "fields", "split_group"), ("split_group",)),
    Shape("bare", (), runs_table="never"),
)


def random_hightouch(seed: int, has_several_op_types: bool = False) -> SourceHistory:
    """Create a history; the same seed gives the same history.

    Each shape comes up once in as many seeds as there are shapes. The source and its organisation
    are named after the seed, so several histories fit into one warehouse. By default a record has
    one op_type in a run, because the order of several is that of a hash that only Spark computes.
    """
    rng = Random(seed)
    shape = SHAPES[seed % len(SHAPES)]
    step_count = rng.randint(2, 5)
    versions: list[Version] = []
    for sync_id in random_sync_ids(rng, shape.has_integer_ids, rng.randint(1, 3)):
        sync = random_sync(rng, sync_id, shape.has_integer_ids)
        versions += _versions(rng, sync, shape, step_count, has_several_op_types)
    return SourceHistory(
        type="hightouch",
        source_name=f"hightouch_{seed}",
        organization_setting=rng.choice((None, f"Organisation {seed}")),
        steps=_steps(rng, versions, shape, step_count),
    )


def column_types(has_integer_ids: bool) -> dict[str, str]:
    """Return the types of the columns that are no texts, in any of the tables."""
    integers = (*COUNT_COLUMNS, *(ID_COLUMNS if has_integer_ids else ()))
    return dict.fromkeys(TIME_COLUMNS, "timestamp") | dict.fromkeys(integers, "bigint")


def _versions(
    rng: Random, sync: SyncDraft, shape: Shape, step_count: int, has_several_op_types: bool
) -> list[Version]:
    run_ids = random_run_ids(rng, shape.has_integer_ids, rng.randint(1, 9))
    # Runs start one after another and overlap, or all start at about the same time.
    minutes_apart = rng.choice((30, 30, 0))
    versions = []
    for position, run_id in enumerate(run_ids):
        arrival = arrival_of(rng, position, len(run_ids), step_count)
        keys = changelog_rows(rng, sync, run_id, has_several_op_types)
        start = position * minutes_apart
        final = run_row(rng, sync, run_id, start, shape.has_integer_ids, keys)
        its_versions = _row_versions(rng, keys, arrival, step_count)
        # Without rows, only its own row shows a run.
        if not keys or rng.random() < 0.85:
            its_versions += _run_row_versions(rng, final, arrival, step_count)
        versions += cleaned(rng, its_versions, step_count)
    return versions


def _row_versions(
    rng: Random, keys: list[list[Row]], arrival: int, step_count: int
) -> list[Version]:
    versions = []
    for copies in keys:
        for row in copies:
            since = arrival
            if rng.random() < 0.15:
                since = rng.randrange(arrival, step_count)
            if rng.random() < 0.12 and since + 1 < step_count:
                # Other content comes first. The key may be gone for some steps in between.
                until = rng.randrange(since + 1, step_count)
                versions.append(Version(CHANGELOG, rewritten(rng, row), since, until))
                since = rng.randrange(until, step_count)
            versions.append(Version(CHANGELOG, row, since, step_count))
    return versions


def _run_row_versions(rng: Random, final: Row, arrival: int, step_count: int) -> list[Version]:
    since = arrival
    if rng.random() < 0.3:
        since = rng.randrange(step_count)
    versions = []
    if rng.random() < 0.35 and since + 1 < step_count:
        finished = rng.randrange(since + 1, step_count)
        versions.append(Version(RUNS, unfinished(rng, final), since, finished))
        since = finished
    versions.append(Version(RUNS, final, since, step_count))
    # The table may have the same row twice.
    return [*versions, versions[-1]] if rng.random() < 0.06 else versions


def _steps(
    rng: Random, versions: list[Version], shape: Shape, step_count: int
) -> tuple[SourceStep, ...]:
    changed_at = rng.randrange(1, step_count)
    steps_with_runs = {
        "always": range(step_count),
        "never": range(0),
        "later": range(changed_at, step_count),
        "dropped": range(changed_at),
    }[shape.runs_table]
    run_columns = [
        column for column in OPTIONAL_RUN_COLUMNS if shape.has_all_run_columns or rng.random() < 0.5
    ]
    types = column_types(shape.has_integer_ids)
    steps = []
    for step in range(step_count):
        columns = [c for c in shape.columns if step >= changed_at or c not in shape.late_columns]
        tables = {CHANGELOG: ["row_id", "op_type", "status", *columns]}
        if step in steps_with_runs:
            tables[RUNS] = run_columns
        steps.append(
            SourceStep(
                tables={
                    name: table_of(
                        rng,
                        ["sync_id", "sync_run_id", *names],
                        types,
                        present(versions, name, step),
                    )
                    for name, names in tables.items()
                },
                # After all times of all runs; no other time of a build would change a table.
                as_of=as_of(step),
            )
        )
    return tuple(steps)
