"""Random rows of Census Warehouse Writeback, for one run at a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from .lake import as_text
from .random_hightouch_rows import PLAIN_STATUSES, REASONS, another_status
from .random_ids import SourceId, random_pool
from .random_words import UNKNOWN_STATUSES, Flavour, dressed, moment, operation_word, payload
from .rows import Row
from .writeback import ID_COLUMNS

LOG_IDS = ("l", "L", "o'brien ", "back\\", "two\nlines ", 'say "hi" ', "\U0001f600", " ", "e\u0301")
# Each run has one of these, because the rules do not say which of several counts.
IDS = ("9", "10", "d-1", 'the "one"', None)


@dataclass(frozen=True)
class SyncDraft:
    """What the rows of a sync have in common."""

    sync_id: SourceId
    pool: tuple[SourceId, ...]
    flavour: Flavour
    has_integer_ids: bool
    # Without ends of batches, the rows of a record in one run have no order.
    has_ends: bool


@dataclass(frozen=True)
class KeyDraft:
    """The rows of one key: what comes first, if anything, and what the table has in the end."""

    final: tuple[Row, ...]
    earlier: tuple[Row, ...]


def random_sync(
    rng: Random, sync_id: SourceId, flavour: Flavour, *, has_integer_ids: bool, has_ends: bool
) -> SyncDraft:
    """Draw a sync with a few records."""
    pool = random_pool(rng, has_integer_ids)
    return SyncDraft(sync_id, pool, flavour, has_integer_ids, has_ends)


def random_run(rng: Random, sync: SyncDraft, sync_run_id: SourceId, start: int) -> list[KeyDraft]:
    """Draw the keys of a run."""
    aborts = rng.random() < 0.2
    oddness = rng.choice((0.0, 0.0, 0.0, 0.1, 0.4))
    ids: tuple[SourceId | None, ...] = (9, 10, None) if sync.has_integer_ids else IDS
    run: Row = {"sync_id": sync.sync_id, "sync_run_id": sync_run_id}
    run |= {column: rng.choice(ids) for column in ID_COLUMNS}
    number = rng.choice((0, 7, 95))
    keys = []
    for identifier in rng.sample(sync.pool, rng.randint(1, len(sync.pool))):
        ends = _ends(rng, start)
        attempts = rng.choice((1, 1, 1, 2, 3)) if sync.has_ends else 1
        for _ in range(min(attempts, len(ends) // 2)):
            number += 1
            row = run | _log_id(rng, sync, number) | {"record_identifier": identifier}
            row["operation"] = operation_word(rng, sync.flavour, oddness)
            keys.append(_key(rng, row, _batches(rng, (ends.pop(), ends.pop())), oddness, aborts))
    if rng.random() < 0.25:
        for _ in range(rng.randint(1, 3)):
            number += 1
            row = run | _log_id(rng, sync, number) | {"record_identifier": None}
            row["operation"] = operation_word(rng, sync.flavour, oddness)
            batches = _batches(rng, (moment(rng, start, start + 60), None))
            keys.append(_key(rng, row, batches, 0.5, aborts))
    return keys


def logged_again(rng: Random, row: Row) -> Row:
    """Draw other content for the key of a row: another status, and mostly another reason."""
    return row | _content(rng) | {"status": another_status(rng, as_text(row["status"]))}


def _key(rng: Random, row: Row, batches: list[Row], oddness: float, aborts: bool) -> KeyDraft:
    final = row | _content(rng) | batches[0] | {"status": _status(rng, oddness, aborts)}
    earlier = logged_again(rng, final) | rng.choice(batches)
    chance = rng.random()
    if chance < 0.08:
        return KeyDraft((final, final), (earlier,))
    if chance < 0.2:
        # Their statuses have no other spellings, because the order of these is not defined.
        final |= {"status": rng.choice(PLAIN_STATUSES)}
        copies = [
            final | _content(rng) | {"status": rng.choice(PLAIN_STATUSES)}
            for _ in range(rng.randint(1, 2))
        ]
        return KeyDraft((final, *copies), (logged_again(rng, final),))
    return KeyDraft((final,), (earlier,))


def _ends(rng: Random, start: int) -> list[datetime | None]:
    """Draw ends of batches, all different, so that the rows of a record have an order."""
    ends: list[datetime | None] = list({moment(rng, start, start + 70): 0 for _ in range(9)})
    if rng.random() < 0.3:
        ends[0] = None
    rng.shuffle(ends)
    return ends


def _batches(rng: Random, ends: tuple[datetime | None, ...]) -> list[Row]:
    return [
        {"batch_started_at": _start(rng, ended_at), "batch_completed_at": ended_at}
        for ended_at in ends
    ]


def _start(rng: Random, ended_at: datetime | None) -> datetime | None:
    if rng.random() < 0.1:
        return None
    if ended_at is None:
        return moment(rng, 0, 60)
    return ended_at - timedelta(minutes=rng.choice((1, 10, 10, 50)))


def _content(rng: Random) -> Row:
    return {"status_message": rng.choice(REASONS), "record_payload": payload(rng)}


def _status(rng: Random, oddness: float, aborts: bool) -> str | None:
    if rng.random() < oddness:
        return rng.choice((None, "NULL", "DUPLICATE", *UNKNOWN_STATUSES))
    words = ["succeeded"] * 10 + ["rejected"] * 3 + ["failed"] + ["aborted"] * (3 if aborts else 0)
    return dressed(rng, rng.choice(words))


def _log_id(rng: Random, sync: SyncDraft, number: int) -> Row:
    # Other runs have the same ones: they tell only the rows of one run apart.
    return {"log_id": number if sync.has_integer_ids else f"{rng.choice(LOG_IDS)}{number}"}
