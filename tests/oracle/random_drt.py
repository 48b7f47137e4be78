"""Seeded random histories of drt: runs, retries, cleared queues and history that expires."""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from .drt import DEAD_LETTERS, HISTORY
from .random_steps import as_of
from .random_words import DAY_ONE, IDENTIFIERS
from .rows import Row
from .source_history import SourceHistory, SourceStep, SourceTable

COLUMNS = {"sync_id": "string", "value": "string"}
SYNC_IDS = ("crm", "billing contacts", "100% é")
MESSAGES = ("bad e-mail", "", None, 'score "x" is too large', "try again later", "é\nin two lines")
STATUSES = (422, 429, 500, None)
RUN_ERRORS = ("OperationalError: no such table: people", "ConnectError: refused")


@dataclass
class Sync:
    """The files of a sync, and the time of its next run."""

    has_dead_letters: bool
    next_run_at: datetime
    history: list[Row] = field(default_factory=list)
    letters: list[Row] = field(default_factory=list)


def random_drt(seed: int) -> SourceHistory:
    """Create a history; the same seed gives the same history.

    The source and its organisation are named after the seed, so several fit into one warehouse.
    """
    rng = Random(seed)
    names = rng.sample(SYNC_IDS, rng.randint(1, 3))
    syncs = {
        name: Sync(rng.random() < 0.8, DAY_ONE + timedelta(minutes=rng.randrange(90)))
        for name in names
    }
    steps = []
    for number in range(rng.randint(2, 5)):
        for sync in syncs.values():
            for _ in range(rng.randint(0, 3)):
                rng.choice((_run, _run, _run, _retry, _retry, _clear, _expire))(rng, sync)
        steps.append(SourceStep(_tables(rng, syncs), as_of(number)))
    return SourceHistory(
        type="drt",
        source_name=f"drt_{seed}",
        organization_setting=rng.choice((None, f"Organisation D {seed}")),
        steps=tuple(steps),
    )


def _run(rng: Random, sync: Sync) -> None:
    """Send some records, of which some are rejected, or break off before the first."""
    started_at, run_id = sync.next_run_at, str(UUID(int=rng.getrandbits(128)))
    completed_at = started_at + timedelta(minutes=rng.randint(1, 9))
    sync.next_run_at = completed_at + timedelta(minutes=rng.randint(0, 90))
    has_raised = rng.random() < 0.1
    synced = 0 if has_raised else rng.choice((0, 1, 7, 40))
    rejected = [] if has_raised else rng.sample(IDENTIFIERS, rng.choice((0, 0, 1, 3)))
    is_failed = has_raised or (rejected and not synced)
    sync.history.append(
        {
            "started_at": started_at.isoformat(),
            "completed_at": completed_at.isoformat(),
            "status": "failed" if is_failed else "partial" if rejected else "success",
            "records_synced": synced,
            "records_failed": len(rejected),
            "errors": list(RUN_ERRORS[: rng.randint(1, 2)]) if has_raised else [],
            "sync_run_id": run_id,
        }
    )
    if sync.has_dead_letters:
        sync.letters += [
            {
                "record": rng.choice(
                    ({"id": key, "plan": "pro"}, {"id": key, "score": None}, {"id": None})
                ),
                "error_message": rng.choice(MESSAGES),
                "http_status": rng.choice(STATUSES),
                "timestamp": (started_at + timedelta(milliseconds=position)).isoformat(),
                "attempts": 1,
                "sync_run_id": run_id,
                "id": UUID(int=rng.getrandbits(128)).hex,
            }
            for position, key in enumerate(rejected)
        ]


def _retry(rng: Random, sync: Sync) -> None:
    """Send the dead letters again: some are accepted, the others fail with any message."""
    sync.letters = [
        letter
        | {"attempts": int(str(letter["attempts"])) + 1, "error_message": rng.choice(MESSAGES)}
        for letter in sync.letters
        if rng.random() < 0.7
    ]


def _clear(rng: Random, sync: Sync) -> None:
    """Drop the oldest dead letters."""
    sync.letters = sync.letters[rng.randint(1, 3) :]


def _expire(rng: Random, sync: Sync) -> None:
    """Drop the oldest runs from the history."""
    sync.history = sync.history[rng.randint(1, 3) :]


def _tables(rng: Random, syncs: dict[str, Sync]) -> dict[str, SourceTable]:
    """The lines of all files, the last of which may be cut, and lines of older versions of drt."""
    rows: dict[str, list[Row]] = {HISTORY: [], DEAD_LETTERS: []}
    for name, sync in syncs.items():
        for table, entries in ((HISTORY, sync.history), (DEAD_LETTERS, sync.letters)):
            lines = [json.dumps(entry) for entry in entries]
            if entries and rng.random() < 0.2:
                lines.append(lines[-1][: rng.randrange(len(lines[-1]))])
            if entries and rng.random() < 0.1:
                lines.append(json.dumps(entries[0] | {"sync_run_id": None}))
            rows[table] += [{"sync_id": name, "value": line} for line in lines]
    tables = {name: SourceTable(COLUMNS, tuple(its_rows)) for name, its_rows in rows.items()}
    if not rows[DEAD_LETTERS]:
        # drt makes the folder when a record fails
        del tables[DEAD_LETTERS]
    return tables
