"""The failures that a retry may repair (docs/answers.md): expected values worked out by hand."""

from typing import Any

import pytest

from oracle import ANSWER_COLUMNS, ErrorRule
from oracle.building import at, batch, row, sent
from oracle.lake import BatchFile, LoggedRow
from specification.small_lake_answers import Rows, answers, by, picked

RULES = (ErrorRule("slow down", "rate limit", 1, is_transient=True),)
SAME = '{"x":1}'
REASON = "retry_reason repaired_at"


def retries(*files: BatchFile, **more: Any) -> Rows:
    return answers(*files, **more)["records_to_retry"]


def rejected(
    key: str, message: str | None = "no", payload: str | None = SAME, ended: int = 1
) -> LoggedRow:
    return row(key, "upsert", "rejected", message=message, payload=payload, ended=ended)


# `b` failed with the same pattern, and the same payload succeeded later.
def test_a_failure_that_others_got_over() -> None:
    files = (batch("1", rejected("a"), rejected("b")), sent("2", 2, "b", payload=SAME))
    (found,) = retries(*files)
    assert {column: found[column] for column in ANSWER_COLUMNS["records_to_retry"]} == {
        **{"organization_id": "o", "sync_id": "s", "row_id": "a"},
        **{"retry_reason": "others succeeded", "started_at": at(1), "last_failed_at": at(1)},
        **{"last_failed_sync_run_id": "1", "failed_run_count": 1, "last_failure_reason": "no"},
        **{"failure_pattern": "no", "category": "uncategorised", "is_transient": None},
        **{"repaired_at": at(2), "fields": SAME, "data_until_at": at(2)},
        **{"source_name": "lake", "vendor": "census"},
    }
    # it fails again in that run, or later
    for minute in (2, 3):
        again = batch(f"{minute}", rejected("a", ended=minute), name="c.1")
        assert retries(*files, again) == []


# A payload that was changed is another repair. Payloads are compared as text, as that of the
# last failed outcome. Without any, nobody knows whether it was changed.
@pytest.mark.parametrize(
    ("failed", "succeeded", "is_repair"),
    [
        ((SAME,), SAME, True),
        ((SAME,), '{"x":2}', False),
        ((SAME,), '{"x": 1}', False),
        ((SAME,), None, False),
        ((None,), None, False),
        ((None,), SAME, False),
        (('{"x":2}', SAME), SAME, True),
        (('{"x":2}', SAME), '{"x":2}', False),
    ],
)
def test_a_payload_that_was_changed(
    failed: tuple[str | None, ...], succeeded: str | None, is_repair: bool
) -> None:
    files = [batch("1", rejected("a"))]
    files += [
        batch(f"{n}", rejected("b", payload=one, ended=n)) for n, one in enumerate(failed, start=2)
    ]
    files.append(sent("9", 9, "b", payload=succeeded))
    assert picked(retries(*files), REASON) == [("others succeeded", at(9))] * is_repair
    # a record whose category is transient is listed in any case
    files[0] = batch("1", rejected("a", "slow down"))
    assert picked(retries(*files, rules=RULES), REASON) == [("transient", None)]


# Only repairs without another payload have a time, in the order of runs.
def test_the_last_repair() -> None:
    files = [batch("1", *[rejected(key, "slow down") for key in "abcd"])]
    files += [sent("2", 9, "b", payload=SAME), sent("3", 3, "c", payload=SAME)]
    files += [sent("4", 12, "d", payload="{}")]
    assert picked(retries(*files, rules=RULES), REASON) == [("others succeeded", at(9))]
    assert picked(retries(files[0], files[3], rules=RULES), "row_id retry_reason") == [
        *[("a", "transient"), ("b", "transient"), ("c", "transient")]
    ]


# Failures without a reason need not have anything in common. An empty reason is one.
def test_failures_without_a_pattern() -> None:
    for message, expected in ((None, []), ("", [("others succeeded", at(2))])):
        files = (batch("1", rejected("a", message), rejected("b", message)),)
        assert picked(retries(*files, sent("2", 2, "b", payload=SAME)), REASON) == expected


# Another pattern, an end that is no success, and a repair before the last failed outcome.
def test_what_is_no_repair() -> None:
    first = batch("1", rejected("a", "no x"), rejected("b", "no y"))
    assert retries(first, sent("2", 2, "b", payload=SAME)) == []
    first = batch("1", rejected("a"), rejected("b"))
    assert retries(first, sent("2", 2, "b", operation="delete", payload=SAME)) == []
    assert retries(first, sent("2", 2, "z", operation="mirror", payload=SAME)) == []
    assert retries(first, batch("2", row("b", "upsert", "aborted", ended=2))) == []
    # what `a` itself repaired before is a repair of a failure like any other
    files = [batch("1", rejected("a")), sent("2", 2, "a", payload=SAME)]
    files.append(batch("3", rejected("a", ended=3)))
    assert retries(*files) == []
    files += [batch("4", rejected("b", ended=4)), sent("5", 5, "b", payload=SAME)]
    assert by(retries(*files), "row_id", REASON) == {"a": ("others succeeded", at(5))}
