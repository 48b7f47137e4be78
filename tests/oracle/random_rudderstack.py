"""Seeded random histories of RudderStack: late, repeated, rewritten and cleaned rows."""

from dataclasses import dataclass, replace
from random import Random

from .random_hightouch_rows import random_sync
from .random_ids import random_run_ids, random_sync_ids
from .random_rudderstack_rows import random_run
from .random_steps import (
    SyncLogShape,
    Version,
    arrival_of,
    cleaned,
    sync_log_steps,
    without_an_id,
)
from .random_words import moment
from .rows import Row
from .rudderstack import SYNC_LOG
from .source_history import SourceHistory

ID_COLUMNS = ("connection_id", "sync_run_id", "primary_key")
NEEDED = (*ID_COLUMNS, "operation", "status")
TIMES = ("sync_started_at", "sync_finished_at")
USUAL = ("error_reason", *TIMES)


@dataclass(frozen=True)
class Shape(SyncLogShape):
    """Which columns the table of RudderStack has, and of what types."""

    columns: tuple[str, ...] = USUAL

    @property
    def types(self) -> dict[str, str]:
        """The types of the columns that are no texts."""
        integers = ID_COLUMNS if self.has_integer_ids else ()
        return dict.fromkeys(TIMES, "timestamp") | dict.fromkeys(integers, "bigint")


SHAPES = (
    Shape("usual"),
    Shape("integer ids", has_integer_ids=True),
    Shape("empty at first", is_empty_at_first=True),
    Shape("no reasons", TIMES, has_integer_ids=True),
    Shape("reasons later", late_columns=("error_reason",)),
    Shape("reasons dropped", dropped_columns=("error_reason",)),
    Shape("no ends", ("error_reason", "sync_started_at")),
    Shape("no starts", ("error_reason", "sync_finished_at")),
    Shape("times later", late_columns=TIMES),
    Shape("bare", ()),
)


@dataclass(frozen=True)
class Steps:
    """The steps of a history, and when a run is in them."""

    count: int
    arrival: int
    # When the end of the run is reported; None if never.
    finished: int | None = None


def random_rudderstack(
    seed: int, *, has_several_operations: bool = False, has_doubled_changes: bool = False
) -> SourceHistory:
    """Create a history; the same seed gives the same history.

    Each shape comes up once in as many seeds as there are shapes. The source and its organisation
    are named after the seed, so several histories fit into one warehouse. By default a record has
    one operation in a run, because the order of several is that of a hash. With doubled changes,
    some rows are there twice, and later twice with another status.
    """
    rng = Random(seed)
    shape = SHAPES[seed % len(SHAPES)]
    step_count = rng.randint(2, 5)
    versions: list[Version] = []
    for sync_id in random_sync_ids(rng, shape.has_integer_ids, rng.randint(1, 3)):
        sync = random_sync(rng, sync_id, shape.has_integer_ids)
        run_ids = random_run_ids(rng, shape.has_integer_ids, rng.randint(1, 9))
        # Runs start one after another and overlap, or all start at about the same time.
        minutes_apart = rng.choice((30, 30, 0))
        for position, run_id in enumerate(run_ids):
            arrival = arrival_of(rng, position, len(run_ids), step_count)
            steps = _steps_of_run(rng, step_count, arrival)
            keys = random_run(rng, sync, run_id, has_several_operations)
            if has_doubled_changes:
                keys = [(rows * 2, earlier * 2) for rows, earlier in keys]
            versions += _versions(rng, keys, steps, position * minutes_apart)
    if versions and rng.random() < 0.3:
        versions.append(without_an_id(rng, versions, "connection_id"))
    return SourceHistory(
        type="rudderstack",
        source_name=f"rudderstack_{seed}",
        organization_setting=rng.choice((None, f"Organisation R {seed}")),
        steps=sync_log_steps(rng, shape, versions, step_count, needed=NEEDED, types=shape.types),
    )


def _steps_of_run(rng: Random, step_count: int, arrival: int) -> Steps:
    chance = rng.random()
    if chance < 0.2:
        return Steps(step_count, arrival)
    return Steps(step_count, arrival, arrival if chance < 0.7 else rng.randrange(step_count))


def _versions(
    rng: Random, keys: list[tuple[list[Row], list[Row]]], steps: Steps, start: int
) -> list[Version]:
    """Give the rows of a run their steps and times.

    All rows say the same about the run, because the rules do not say what a run keeps of rows that
    are gone. Only in runs that are never cleaned up, some rows know no times.
    """
    versions = cleaned(
        rng,
        [one for rows, earlier in keys for one in _key_versions(rng, rows, earlier, steps)],
        steps.count,
    )
    is_cleaned = any(one.until < steps.count for one in versions)
    knows_start = rng.random() < 0.88
    started = moment(rng, start, start + 20) if knows_start else None
    end = moment(rng, start + 10, start + 90)
    found = []
    for one in versions:
        for part in _cut(one, steps.finished):
            is_over = steps.finished is not None and part.since >= steps.finished
            times: Row = {"sync_started_at": started, "sync_finished_at": end if is_over else None}
            if not is_cleaned and len(keys) > 1 and rng.random() < 0.15:
                times = dict.fromkeys(times)
            found.append(replace(part, row=part.row | times))
    return found


def _key_versions(rng: Random, rows: list[Row], earlier: list[Row], steps: Steps) -> list[Version]:
    since = steps.arrival
    if rng.random() < 0.15:
        since = rng.randrange(since, steps.count)
    versions = []
    if rng.random() < 0.2 and since + 1 < steps.count:
        # The vendor rewrites a row, or logs it again. It may be gone for some steps in between.
        again = rng.randrange(since + 1, steps.count)
        until = steps.count if rng.random() < 0.3 else rng.randrange(since + 1, again + 1)
        versions += [Version(SYNC_LOG, row, since, until) for row in earlier]
        since = again
    return [*versions, *(Version(SYNC_LOG, row, since, steps.count) for row in rows)]


def _cut(version: Version, step: int | None) -> list[Version]:
    """Cut a version in two at a step, if it is there before and after."""
    if step is None or not version.since < step < version.until:
        return [version]
    return [replace(version, until=step), replace(version, since=step)]
