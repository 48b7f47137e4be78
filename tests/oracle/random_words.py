"""Random values of single fields, drawn from small pools so that many collide."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from random import Random

IDENTIFIERS = (
    *("", "NULL", " lead", "a", "A", "o'brien", "back\\slash", "\U0001f600", "two\nlines"),
    *("null", "lead", 'say "hi"', "100%", "a\tb", "e\u0301", "\u00e9"),
)
SPLIT_FIELDS = ("tier", "team name", "team.name", "o'brien", "d\u00e9j\u00e0", "absent")
UNKNOWN_OPERATIONS = ("sync", "added", "changed", "", "up sert", "merge")
UNKNOWN_STATUSES = ("pending", "skipped", "", "success", "invalid", "not attempted")
# What vendors call a run that is over, and one that goes on.
SUCCEEDED_RUN = ("succeeded", "success", "completed", "completed with errors", "warning", "healthy")
FAILED_RUN = (
    *("failed", "error", "aborted", "cancelled", "canceled", "skipped", "incomplete"),
    "interrupted",
)
GOING_ON = (
    *("pending", "queued", "preparing", "querying", "processing", "reporting", "in progress"),
    *("in_progress", "working", "running"),
)
MESSAGES = (None, "", "rate limit", "it's {invalid}\n\\", "e-mail a@b.c refused")
NON_JSON_PAYLOADS = (
    *("", "not json", "[1, 2]", '"text"', "7", "null", "{", '{"tier": }'),
    # Cut off after a field that a streaming reader would find; it is not a JSON object.
    '{"tier": "gold", "team name": "x"',
)
DAY_ONE = datetime(2025, 3, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Flavour:
    """How a sync behaves: its usual operations, by weight."""

    name: str
    operations: tuple[str, ...]


FLAVOURS = (
    Flavour("upsert", ("upsert", "upsert", "upsert", "delete", "insert", "removed", "create")),
    Flavour("update", ("update", "update", "updated", "change", "delete")),
    Flavour("mirror", ("mirror",)),
    Flavour("append", ("append",)),
    Flavour(
        "mixed",
        (
            *("upsert", "delete", "delete", "mirror", "append", "update", "insert"),
            *("inserted", "created", "add", "updated", "change", "deleted", "remove", "removed"),
        ),
    ),
)


def operation_word(rng: Random, flavour: Flavour, oddness: float) -> str | None:
    """Draw an operation as logged."""
    if rng.random() < oddness:
        return rng.choice((None, *UNKNOWN_OPERATIONS))
    return dressed(rng, rng.choice(flavour.operations))


def status_word(rng: Random, oddness: float, aborts: bool) -> str | None:
    """Draw a status as logged; only some runs abort, otherwise no mirror run would ever replace."""
    if rng.random() < oddness:
        return rng.choice((None, *UNKNOWN_STATUSES))
    words = ["succeeded"] * 10 + ["rejected"] * 4 + ["failed", "NULL", "DUPLICATE", "DUPLICATE"]
    if aborts:
        words += ["aborted", "aborted", "not_attempted"]
    return dressed(rng, rng.choice(words))


def in_other_words(status: str | None, run: str) -> str | None:
    """Say the status of a run in any word of the same meaning. The run decides which."""
    for words in (SUCCEEDED_RUN, FAILED_RUN, GOING_ON):
        if status is not None and status.strip().lower() in words:
            rng = Random(run)
            return dressed(rng, rng.choice(words))
    return status


def dressed(rng: Random, word: str) -> str:
    """Sometimes give a word odd case and white space around it."""
    if rng.random() < 0.7:
        return word
    word = rng.choice((word.upper(), word.title(), word.swapcase(), word))
    padding = ("", " ", "  ", "\t", "\n", "\r\n")
    return rng.choice(padding) + word + rng.choice(padding)


def payload(rng: Random) -> str | None:
    """Draw a record payload: mostly a JSON object, sometimes other text or nothing."""
    chance = rng.random()
    if chance < 0.08:
        return None
    if chance < 0.2:
        return rng.choice(NON_JSON_PAYLOADS)
    values: tuple[object, ...] = (
        *("gold", "", "it's", "\u00fcber \U0001f600", "null", 'a "quoted" one', 7, -3, 1.5),
        *(True, False, None, [1, "two"], {"deep": {"er": [None, "x"]}}),
    )
    fields = [*rng.sample(SPLIT_FIELDS[:-1], rng.randint(0, 4)), "amount"]
    return json.dumps(
        {field: rng.choice(values) for field in fields},
        ensure_ascii=rng.random() < 0.3,
        separators=rng.choice(((",", ":"), (", ", ": "))),
    )


def moment(rng: Random, minutes_from: int, minutes_to: int) -> datetime:
    """Draw a time on day one, mostly a multiple of ten minutes so that times tie."""
    minutes = rng.randint(minutes_from, minutes_to)
    chance = rng.random()
    if chance < 0.7:
        return DAY_ONE + timedelta(minutes=minutes - minutes % 10)
    microseconds = rng.choice((0, 1, 999_999)) if chance < 0.95 else rng.randint(0, 999_999)
    return DAY_ONE + timedelta(minutes=minutes, microseconds=microseconds)


def time_text(rng: Random, time: datetime) -> str:
    """Format a time in ISO 8601, with a Z, an offset or no zone."""
    zone = rng.choice(("Z", "+00:00", "", "+05:30", "-08:00"))
    local = time
    if zone in ("+05:30", "-08:00"):
        local = time + (timedelta(hours=5, minutes=30) if zone[0] == "+" else -timedelta(hours=8))
    has_fraction = time.microsecond or rng.random() < 0.3
    return local.strftime("%Y-%m-%dT%H:%M:%S.%f" if has_fraction else "%Y-%m-%dT%H:%M:%S") + zone
