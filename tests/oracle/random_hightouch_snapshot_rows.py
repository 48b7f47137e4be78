"""Random snapshots of one sync of Hightouch: what the table has after each run, and changes of it.

A record that is in may be unchanged, and one that left the model is simply no longer there.
"""

from collections.abc import Sequence
from random import Random

from .hightouch import COUNT_COLUMNS
from .hightouch_snapshots import COMPARED_COUNTS, op_types_of, sorted_rows
from .random_hightouch_rows import (
    PLAIN_STATUSES,
    SPLIT_GROUPS,
    UNKNOWN_OP_TYPES,
    SyncDraft,
    content,
    counts_of,
)
from .random_ids import SourceId
from .random_words import dressed
from .rows import Row

UNCHANGED_STATUSES = ("succeeded", "succeeded", None, None, "failed", "Rejected ", "aborted")
STATUSES = (*("succeeded",) * 6, "failed", "failed", "aborted", "pending", None)
# What counts as unchanged, though it is another word or none.
UNKNOWN_WORDS = (*UNKNOWN_OP_TYPES, "insert", "vanished", None)


def snapshot_of(rng: Random, sync: SyncDraft) -> list[Row]:
    """Draw the rows of the table after one more run, copies too."""
    rows: list[Row] = []
    for row_id in sync.pool:
        rows += _rows_of(rng, sync, row_id)
    if rng.random() < 0.15:
        # They are not read.
        rows += [_row(rng, sync, None, rng.choice(("added", "unchanged")), "succeeded")] * 2
    return rows


def changed(rng: Random, sync: SyncDraft, rows: Sequence[Row]) -> list[Row]:
    """Draw a change of a snapshot that stays that of its run: at least one row is another one."""
    row_ids = [row["row_id"] for row in rows if row["row_id"] is not None]
    result = list(rows)
    for row_id in rng.sample(row_ids, min(len(row_ids), rng.randint(1, 3))):
        old = [row for row in result if row["row_id"] == row_id]
        result = [row for row in result if row["row_id"] != row_id]
        chance = rng.random()
        if old and chance < 0.7:
            status = rng.choice([word for word in STATUSES if word != old[0]["status"]])
            op_type = old[0]["op_type"] if chance < 0.5 else rng.choice(("added", "changed"))
            result.append(old[0] | content(rng) | {"status": status, "op_type": op_type})
    absent = [row_id for row_id in sync.pool if row_id not in {row["row_id"] for row in result}]
    if absent and (result == list(rows) or rng.random() < 0.4):
        op_type = rng.choice(("added", "added", "unchanged"))
        result.append(_row(rng, sync, rng.choice(absent), op_type, rng.choice(STATUSES)))
    return result


def counts_for(rng: Random, rows: Sequence[Row]) -> Row:
    """Draw what a run reports whose snapshot has these rows: mostly counts that fit, or none."""
    counts: Row = dict.fromkeys(COUNT_COLUMNS)
    style = rng.choice(("none", "planned", "planned", "one", "all", "all", "wrong"))
    if style == "none":
        return counts
    if style in ("all", "wrong"):
        logged = [row for row in rows if op_types_of(sorted_rows([row]))["unchanged"] == 0]
        counts |= counts_of([[row] for row in logged if row["row_id"] is not None])
    op_types = op_types_of(sorted_rows(rows))
    counts |= {column: op_types[op_type] for column, op_type in COMPARED_COUNTS.items()}
    if style == "one":
        counts[rng.choice(tuple(COMPARED_COUNTS))] = None
    if style == "wrong" and rng.random() < 0.5:
        counts[rng.choice(tuple(COMPARED_COUNTS))] = rng.randint(0, 9)
    return counts


def _rows_of(rng: Random, sync: SyncDraft, row_id: SourceId) -> list[Row]:
    """Draw what becomes of a record: one row, its copies, or no row."""
    is_member = row_id in sync.members
    chance = rng.random()
    if is_member and chance < 0.15:
        sync.members.discard(row_id)
        sync.retries.pop(row_id, None)
        return []
    if not is_member and row_id not in sync.retries and chance < 0.45:
        return []
    if is_member and row_id not in sync.retries and chance < 0.65:
        word = dressed(rng, "unchanged") if rng.random() < 0.85 else rng.choice(UNKNOWN_WORDS)
        return [_row(rng, sync, row_id, word, rng.choice(UNCHANGED_STATUSES))]
    if not is_member and chance > 0.95:
        # Hightouch thinks that it is in, though it was out.
        sync.members.add(row_id)
        return [_row(rng, sync, row_id, rng.choice(("changed", "unchanged")), "succeeded")]
    op_type = sync.planned(rng, row_id, is_resync=False)
    status = rng.choice(STATUSES)
    sync.happened(row_id, op_type, status)
    word = status if status is None else dressed(rng, status)
    row = _row(rng, sync, row_id, dressed(rng, op_type), word)
    return _with_copies(rng, row) if rng.random() < 0.15 else [row]


def _with_copies(rng: Random, row: Row) -> list[Row]:
    """Draw two or three copies; if their op_types differ, so do their statuses."""
    chance = rng.random()
    if chance < 0.3:
        return [row, dict(row)]
    statuses = rng.sample(PLAIN_STATUSES, rng.randint(2, 3))
    copies = [row | content(rng) | {"status": status} for status in statuses]
    if chance < 0.6:
        return [copies[0], *(copy | {"op_type": "changed"} for copy in copies[1:])]
    return copies


def _row(
    rng: Random, sync: SyncDraft, row_id: SourceId | None, op_type: str | None, status: str | None
) -> Row:
    key: Row = {"sync_id": sync.sync_id, "row_id": row_id, "op_type": op_type, "status": status}
    return key | content(rng) | {"split_group": rng.choice(SPLIT_GROUPS)}
