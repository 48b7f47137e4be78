"""Random rows of RudderStack's table, for one run at a time and in the order of the runs."""

from random import Random

from .random_hightouch_rows import (
    PLAIN_STATUSES,
    REASONS,
    SyncDraft,
    another_status,
    status_of_sent,
)
from .random_ids import SourceId
from .random_words import UNKNOWN_OPERATIONS, UNKNOWN_STATUSES, dressed
from .rows import Row

OPERATIONS = {"added": "insert", "changed": "update", "removed": "delete"}


def random_run(
    rng: Random, sync: SyncDraft, sync_run_id: SourceId, has_several_operations: bool
) -> list[tuple[list[Row], list[Row]]]:
    """Draw the keys of a run: the rows of each in the end, and what may come before them."""
    is_resync = rng.random() < 0.12
    aborted = 3 if rng.random() < 0.2 else 0
    oddness = rng.choice((0.0, 0.0, 0.05, 0.3))
    run: Row = {"connection_id": sync.sync_id, "sync_run_id": sync_run_id}
    keys = []
    for primary_key in rng.sample(sync.pool, rng.randint(1, len(sync.pool))):
        op_type = sync.planned(rng, primary_key, is_resync)
        status = status_of_sent(rng, aborted)
        sync.happened(primary_key, op_type, status)
        word: str | None = dressed(rng, OPERATIONS[op_type])
        if rng.random() < oddness:
            word = rng.choice((None, *UNKNOWN_OPERATIONS))
        row = run | {"primary_key": primary_key, "operation": word}
        keys.append(_key(rng, row, status, oddness))
        if has_several_operations and rng.random() < 0.4:
            other = rng.choice([one for one in OPERATIONS.values() if one != word])
            keys.append(_key(rng, row | {"operation": other}, status, oddness))
    if rng.random() < 0.25:
        # Each is a record of its own, so a run may have one for each operation.
        for operation in rng.sample((*OPERATIONS.values(), None), rng.randint(1, 3)):
            null_key = run | {"primary_key": None, "operation": operation}
            keys.append(_key(rng, null_key, status_of_sent(rng, aborted), 0.3))
    return keys


def _key(rng: Random, row: Row, status: str, oddness: float) -> tuple[list[Row], list[Row]]:
    word: str | None = dressed(rng, status)
    if rng.random() < oddness:
        word = rng.choice((None, "DUPLICATE", *UNKNOWN_STATUSES))
    chance = rng.random()
    if chance > 0.2:
        final = _content(rng, row, word)
        return [final], [_content(rng, row, another_status(rng, word))]
    # Copies have no other spellings of a status, because the order of these is not defined.
    copies = [_content(rng, row, rng.choice(PLAIN_STATUSES)) for _ in range(rng.randint(2, 3))]
    if chance < 0.08:
        copies = [copies[0]] * 2
    return copies, [_content(rng, row, another_status(rng, word))]


def _content(rng: Random, row: Row, status: str | None) -> Row:
    return row | {"status": status, "error_reason": rng.choice(REASONS)}
