"""Seeded random histories of Writeback: late, repeated, rewritten and cleaned rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random

from .random_facts import random_facts
from .random_ids import random_run_ids, random_sync_ids
from .random_steps import (
    SyncLogShape,
    Version,
    arrival_of,
    cleaned,
    sync_log_steps,
    without_an_id,
)
from .random_words import DAY_ONE, FLAVOURS, Flavour
from .random_writeback_rows import KeyDraft, SyncDraft, logged_again, random_run, random_sync
from .rows import Row
from .source_history import SourceHistory, SourceStep, SourceTable
from .writeback import ID_COLUMNS, SYNC_LOG

KEYS = ("log_id", "sync_id", "sync_run_id", "record_identifier")
NEEDED = (*KEYS, "operation", "status")
BATCH_TIMES = ("batch_started_at", "batch_completed_at")
TEXTS = ("record_payload", "status_message")
TIMES = (*BATCH_TIMES, "_census_logged_at")
USUAL = (*TEXTS, *TIMES)
MIRROR = tuple(one for one in FLAVOURS if one.name == "mirror")


@dataclass(frozen=True)
class Shape(SyncLogShape):
    """Which columns the table of Writeback has, of what types, and what else is in the source."""

    columns: tuple[str, ...] = USUAL
    has_text_times: bool = False
    has_facts: bool = True
    flavours: tuple[Flavour, ...] = FLAVOURS

    @property
    def has_ends(self) -> bool:
        """Whether the ends of batches are there in all steps."""
        return BATCH_TIMES[1] in self.columns and BATCH_TIMES[1] not in self.late_columns

    @property
    def types(self) -> dict[str, str]:
        """The types of the columns that are no texts."""
        times = () if self.has_text_times else TIMES
        integers = (*KEYS, *ID_COLUMNS) if self.has_integer_ids else ()
        return dict.fromkeys(times, "timestamp") | dict.fromkeys(integers, "bigint")


SHAPES = (
    Shape("usual"),
    Shape("integer ids", (*USUAL, *ID_COLUMNS), has_integer_ids=True),
    Shape("mirror", flavours=MIRROR),
    Shape("ids later", (*USUAL, *ID_COLUMNS), ID_COLUMNS),
    Shape("some ids", (*USUAL, *ID_COLUMNS[1:3])),
    Shape("times as texts", has_text_times=True),
    Shape("empty at first", is_empty_at_first=True, has_integer_ids=True),
    Shape("not said when logged", (*TEXTS, *BATCH_TIMES)),
    Shape("said later when logged", (*USUAL, *ID_COLUMNS), late_columns=("_census_logged_at",)),
    Shape("no starts", (*TEXTS, *TIMES[1:]), has_facts=False),
    Shape("no times of batches", (*TEXTS, "_census_logged_at")),
    Shape("times of batches later", late_columns=BATCH_TIMES),
    Shape("messages and payloads dropped", dropped_columns=TEXTS),
    Shape("bare", (), has_facts=False),
)


def random_writeback(seed: int) -> SourceHistory:
    """Create a history; the same seed gives the same history.

    Each shape comes up once in as many seeds as there are shapes. The source and its organisation
    are named after the seed, so several histories fit into one warehouse. The rows of one record
    in one run end at different times, because the order of others is that of a hash.
    """
    rng = Random(seed)
    shape = SHAPES[seed % len(SHAPES)]
    step_count = rng.randint(2, 5)
    versions: list[Version] = []
    for sync_id in random_sync_ids(rng, shape.has_integer_ids, rng.randint(1, 3)):
        sync = random_sync(
            rng,
            sync_id,
            rng.choice(shape.flavours),
            has_integer_ids=shape.has_integer_ids,
            has_ends=shape.has_ends,
        )
        versions += _versions(rng, sync, step_count)
    if shape.has_text_times:
        versions = [replace(one, row=_with_text_times(one.row)) for one in versions]
    # Their own numbers, so that they change nothing else.
    facts = random_facts(Random(f"facts {seed}"), step_count) if shape.has_facts else None
    return SourceHistory(
        type="census_writeback",
        source_name=f"writeback_{seed}",
        organization_setting=rng.choice((None, f"Organisation W {seed}")),
        steps=_with_facts(
            sync_log_steps(rng, shape, versions, step_count, needed=NEEDED, types=shape.types),
            facts,
        ),
    )


def _versions(rng: Random, sync: SyncDraft, step_count: int) -> list[Version]:
    run_ids = random_run_ids(rng, sync.has_integer_ids, rng.randint(1, 8))
    # Runs start one after another and overlap, or all start at about the same time.
    minutes_apart = rng.choice((30, 30, 0))
    # The last runs of some syncs end around the times of the builds, so they may not be settled.
    is_recent = rng.random() < 0.5
    versions = []
    for position, run_id in enumerate(run_ids):
        arrival = arrival_of(rng, position, len(run_ids), step_count)
        start = position * minutes_apart
        if is_recent and position >= len(run_ids) - 2:
            start = 2 * 24 * 60 + arrival * 60 - rng.randint(10, 140)
        keys = random_run(rng, sync, run_id, start)
        run_versions = [
            version for key in keys for version in _key_versions(rng, key, arrival, step_count)
        ]
        versions += cleaned(rng, run_versions, step_count)
    if rng.random() < 0.3:
        versions.append(without_an_id(rng, versions, "sync_id"))
    return versions


def _key_versions(rng: Random, key: KeyDraft, arrival: int, step_count: int) -> list[Version]:
    since = arrival
    if rng.random() < 0.15:
        since = rng.randrange(arrival, step_count)
    says_when_logged = rng.random() < 0.93
    copies = partial(_copies, rng, says_when_logged=says_when_logged)
    versions = []
    if rng.random() < 0.2 and since + 1 < step_count:
        again = rng.randrange(since + 1, step_count)
        # The vendor rewrites a row, or logs it once more. It may be gone for some steps between.
        until = step_count if rng.random() < 0.4 else rng.randrange(since + 1, again + 1)
        versions += copies(key.earlier, since, until)
        if until == step_count:
            # Copies of a key differ in what the rules compare, and in nothing else.
            row = logged_again(rng, key.earlier[0])
            return [*versions, *copies((row,), again, step_count)]
        since = again
    return [*versions, *copies(key.final, since, step_count)]


def _copies(
    rng: Random, rows: Sequence[Row], since: int, until: int, *, says_when_logged: bool
) -> list[Version]:
    """Say when rows of one key were logged; either all of them say it or none."""
    times: list[datetime | None] = [None] * len(rows)
    if says_when_logged:
        times = [_logged_at(rng, since) for _ in rows]
        if rng.random() < 0.5:
            times = [times[0]] * len(rows)
    return [
        Version(SYNC_LOG, row | {"_census_logged_at": time}, since, until)
        for row, time in zip(rows, times, strict=True)
    ]


def _logged_at(rng: Random, since: int) -> datetime:
    # Mostly after all rows that came before, whatever the time of the batch.
    hours = since if rng.random() < 0.85 else rng.randint(-9, since)
    return DAY_ONE + timedelta(days=1, hours=hours, minutes=rng.choice((0, 0, 10, 20)))


def _with_facts(
    steps: tuple[SourceStep, ...], facts: Sequence[dict[str, SourceTable]] | None
) -> tuple[SourceStep, ...]:
    if facts is None:
        return steps
    return tuple(
        replace(step, tables=step.tables | tables)
        for step, tables in zip(steps, facts, strict=True)
    )


def _with_text_times(row: Row) -> Row:
    found = {column: row[column] for column in TIMES}
    return row | {
        column: time.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if isinstance(time, datetime) else None
        for column, time in found.items()
    }
