"""Random rows of a Hightouch source, for one sync at a time and in the order of its runs."""

from dataclasses import dataclass, field
from random import Random

from .hightouch import COUNT_COLUMNS
from .random_files import RUN_STATUS_WORDS
from .random_ids import SourceId, random_pool
from .random_words import (
    MESSAGES,
    UNKNOWN_STATUSES,
    dressed,
    in_other_words,
    moment,
    payload,
)
from .rows import Row
from .vocabulary import map_status

OP_TYPES = ("added", "changed", "removed")
UNKNOWN_OP_TYPES = ("unchanged", "sync", "", "add ed", "upserted")
# Operations of a lake, which no documented op_type is called.
LAKE_WORDS = ("insert", "upsert", "update", "delete")
REASONS = (*MESSAGES, 'said "no" \\ \U0001f600', "d\u00e9j\u00e0 vu\ttwice")
SPLIT_GROUPS = (None, None, "control", "treatment", "o'brien \U0001f600", "")
MODEL_NAMES = ("Leads", "Leads", "Leads (new)", "Gr\u00fc\u00dfe", 'the "VIPs"', None)
# Copies of a key take only these, because the order of other spellings is not defined.
PLAIN_STATUSES = ("succeeded", "failed", "aborted", "pending", "skipped", None)


@dataclass
class SyncDraft:
    """What the vendor knows of a sync while its runs are drawn: who is in, what must be retried."""

    sync_id: SourceId
    pool: tuple[SourceId, ...]
    members: set[SourceId]
    retries: dict[SourceId, str] = field(default_factory=dict)

    def planned(self, rng: Random, row_id: SourceId, is_resync: bool) -> str:
        """Draw the op_type of a record: as the state demands, but sometimes any."""
        if is_resync:
            return "added"
        if rng.random() < 0.08:
            return rng.choice(OP_TYPES)
        if row_id in self.retries:
            return self.retries[row_id]
        return rng.choice(("changed", "changed", "removed")) if row_id in self.members else "added"

    def happened(self, row_id: SourceId, op_type: str, status: str | None) -> None:
        """Remember the result of a record."""
        self.retries.pop(row_id, None)
        if status != "succeeded":
            self.retries[row_id] = op_type
        elif op_type == "removed":
            self.members.discard(row_id)
        else:
            self.members.add(row_id)


def random_sync(rng: Random, sync_id: SourceId, has_integer_ids: bool) -> SyncDraft:
    """Draw a sync; the log of some starts when many records are in already."""
    pool = random_pool(rng, has_integer_ids)
    members = rng.sample(pool, len(pool) // 2) if rng.random() < 0.4 else []
    return SyncDraft(sync_id, pool, set(members))


def changelog_rows(
    rng: Random, sync: SyncDraft, sync_run_id: SourceId, has_several_op_types: bool
) -> list[list[Row]]:
    """Draw the rows of a run: per key, the row and its copies. Some runs have no rows."""
    if rng.random() < 0.1:
        return []
    is_resync = rng.random() < 0.12
    aborted = 4 if rng.random() < 0.25 else 0
    oddness = rng.choice((0.0, 0.0, 0.05, 0.3))
    run: Row = {"sync_id": sync.sync_id, "sync_run_id": sync_run_id}
    keys: list[list[Row]] = []
    for row_id in rng.sample(sync.pool, rng.randint(0, len(sync.pool))):
        op_type = sync.planned(rng, row_id, is_resync)
        status = status_of_sent(rng, aborted)
        sync.happened(row_id, op_type, status)
        is_odd = rng.random() < oddness
        op_word = rng.choice((None, *UNKNOWN_OP_TYPES)) if is_odd else dressed(rng, op_type)
        key: Row = {**run, "row_id": row_id}
        keys.append(_with_copies(rng, key | {"op_type": op_word}, status, oddness))
        if has_several_op_types and rng.random() < 0.4:
            other = rng.choice([word for word in (*OP_TYPES, *LAKE_WORDS) if word != op_word])
            keys.append(_with_copies(rng, key | {"op_type": other}, status, oddness))
    if rng.random() < 0.3:
        # Each is a record of its own, so a run may have one for each op_type.
        for op_type in rng.sample((*OP_TYPES, "unchanged"), rng.randint(1, 3)):
            null_key: Row = {**run, "row_id": None, "op_type": op_type}
            its_status = rng.choice((None, "failed", "succeeded", "aborted", "NULL"))
            keys.append(_with_copies(rng, null_key, its_status, oddness))
    return keys


def rewritten(rng: Random, row: Row) -> Row:
    """Draw other content for the key of a row."""
    return row | content(rng) | {"status": rng.choice(PLAIN_STATUSES)}


def run_row(
    rng: Random,
    sync: SyncDraft,
    sync_run_id: SourceId,
    start: int,
    has_integer_ids: bool,
    keys: list[list[Row]],
) -> Row:
    """Draw the row of a run as it is in the end; `keys` are the rows that it logs."""
    is_finished = rng.random() < 0.8
    ids: tuple[SourceId | None, ...] = (7, 8, None) if has_integer_ids else ("m1", "7", None)
    return {
        "sync_id": sync.sync_id,
        "sync_run_id": sync_run_id,
        "primary_key": rng.choice(("email", "id", None)),
        "destination": rng.choice(("salesforce", "google sheets", "o'brien's", None)),
        "model_name": rng.choice(MODEL_NAMES),
        "model_id": rng.choice(ids),
        "status": in_other_words(
            rng.choice((*RUN_STATUS_WORDS, "success", "success", None)),
            f"{sync.sync_id} {sync_run_id}",
        ),
        "error": rng.choice((None, None, "gave up: it's over", "", 'a "quoted"\n\\ one')),
        "started_at": None if rng.random() < 0.12 else moment(rng, start, start + 20),
        "finished_at": moment(rng, start + 10, start + 90) if is_finished else None,
        **_reported_counts(rng, keys),
    }


def unfinished(rng: Random, row: Row) -> Row:
    """Return the row of a run as it is while the run goes on."""
    return row | {
        "status": in_other_words(
            rng.choice((None, "running", "processing")), str(row["sync_run_id"])
        ),
        "error": None,
        "finished_at": None,
        **dict.fromkeys(COUNT_COLUMNS),
    }


def _reported_counts(rng: Random, keys: list[list[Row]]) -> Row:
    """Draw counts: none, any, or about those of the logged rows, sometimes with one that is not."""
    style = rng.choice(("none", "some", "any", "right", "right", "lacking", "wrong"))
    if style == "none":
        return dict.fromkeys(COUNT_COLUMNS)
    if style == "some":
        return {c: rng.randint(0, 12) if rng.random() < 0.7 else None for c in COUNT_COLUMNS}
    if style == "any":
        return {column: rng.randint(0, 3) for column in COUNT_COLUMNS}
    counts: Row = {**counts_of(keys)}
    if style in ("lacking", "wrong"):
        counts[rng.choice(COUNT_COLUMNS)] = None if style == "lacking" else rng.randint(0, 20)
    return counts


def counts_of(keys: list[list[Row]]) -> dict[str, int]:
    """Count the rows of some keys as a vendor counts them."""
    # Odd words make the counts wrong, which may happen to a vendor, too.
    counts = dict.fromkeys(COUNT_COLUMNS, 0)
    for key in keys:
        op_type = str(key[0]["op_type"]).strip().lower()
        suffix = {"added": "add", "removed": "remove"}.get(op_type, "change")
        statuses = [str(row["status"]).strip().lower() for row in key]
        status = next((one for one in ("succeeded", "failed", "aborted") if one in statuses), None)
        counts[f"num_planned_{suffix}"] += 1
        counts[f"num_attempted_{suffix}"] += status != "aborted"
        counts[f"num_succeeded_{suffix}"] += status == "succeeded"
        counts[f"num_failed_{suffix}"] += status not in ("succeeded", "aborted")
    return counts


def _with_copies(rng: Random, key: Row, status: str | None, oddness: float) -> list[Row]:
    word = None if status is None else dressed(rng, status)
    if rng.random() < oddness:
        word = rng.choice((None, "DUPLICATE", *UNKNOWN_STATUSES))
    group = rng.choice(SPLIT_GROUPS)
    row = key | content(rng) | {"status": word, "split_group": group}
    chance = rng.random()
    if chance < 0.06:
        return [row | {"status": rng.choice(PLAIN_STATUSES)}] * 2
    if chance < 0.2:
        return [rewritten(rng, row) for _ in range(rng.randint(2, 3))]
    return [row]


def content(rng: Random) -> Row:
    """Draw what a row says beside its key, its status and its group."""
    return {
        "failure_reason": rng.choice(REASONS),
        "failed_reason": rng.choice(REASONS),
        "fields": payload(rng),
    }


def status_of_sent(rng: Random, aborted: int) -> str:
    """Draw what happened to a record; `aborted` is the weight of not being attempted."""
    return rng.choice(["succeeded"] * 10 + ["failed"] * 4 + ["aborted"] * aborted)


def another_status(rng: Random, status: str | None) -> str | None:
    """Draw a status that means something else."""
    meaning = map_status(status, "a")
    return rng.choice([word for word in PLAIN_STATUSES if map_status(word, "a") != meaning])
