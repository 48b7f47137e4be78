"""The failures of a sync by pattern (docs/answers.md, Errors): expected values by hand."""

from typing import Any

import pytest

from oracle import ANSWER_COLUMNS, ErrorRule
from oracle.building import at, batch, row, sent
from oracle.lake import BatchFile, LoggedRow
from oracle.retention import Purge
from specification.small_lake_answers import AS_OF, Rows, answers, by, deleted, failed, picked
from specification.small_retention import before, built


def patterns(*files: BatchFile, **more: Any) -> Rows:
    return answers(*files, **more)["error_patterns"]


def rejected(key: str | None, message: str, payload: str, ended: int = 0) -> LoggedRow:
    return row(key, "upsert", "rejected", message=message, payload=payload, ended=ended)


RULES = (
    ErrorRule("taken", "duplicates", 20, False, "merge them"),
    ErrorRule("b@", "ours", 10, True),
    ErrorRule("never met", "ours", 5, False, "ask us"),
)


# One pattern of three reasons. The last run has two of them.
def test_a_pattern() -> None:
    (found,) = patterns(
        batch("1", *[failed("k1", "a@b.c is taken", 1), failed("k2", "c@b.c is taken", 1)]),
        batch("2", *[failed("k1", "b@b.c is taken", 2), failed("k3", "a@b.c is taken", 2)]),
        sent("3", 3, "k2"),
        rules=RULES,
    )
    assert {column: found[column] for column in ANSWER_COLUMNS["error_patterns"]} == {
        **{"organization_id": "o", "sync_id": "s"},
        **{"failure_pattern": "<email address> is taken"},
        **{"record_count": 3, "open_record_count": 2, "attempt_count": 4, "run_count": 2},
        **{"bystander_count": 0, "failure_reason_count": 3},
        **{"first_seen_at": at(1), "last_seen_at": at(2)},
        **{"first_sync_run_id": "1", "last_sync_run_id": "2", "is_new": False},
        **{"sample_failure_reason": "a@b.c is taken"},
        **{"sample_identifiers": ["k1", "k3", "k2"], "rank_in_sync": 1},
        **{"category": "duplicates", "is_transient": False, "hint": "merge them"},
        **{"data_until_at": at(3), "source_name": "lake", "vendor": "census"},
    }


# One reason with two patterns, because a payload or an identifier says what it is.
def test_two_patterns_of_a_reason() -> None:
    reason = "no 1-2 here"
    found = answers(
        batch("1", failed("a", reason, 1), rejected("b", reason, '{"z":"1-2"}', 1)),
        batch("2", failed("1-2", reason, 2), failed(None, reason, 2)),
    )
    assert by(found["error_patterns"], "failure_pattern", "record_count run_count") == {
        **{"no 1-2 here": (2, 2), "no <z> here": (1, 1), "no <identifier> here": (1, 1)},
    }
    counts = "record_count failure_pattern"
    assert picked(found["errors_by_sync"], counts) == [(4, "no 1-2 here")]
    assert by(found["record_failures"], "row_id", "failure_pattern") == {
        **{"a": ("no 1-2 here",), "b": ("no <z> here",), "1-2": ("no <identifier> here",)},
    }


# The pattern of a reason is the first one by bytes; only rows with the reason have one.
def test_the_pattern_of_a_reason() -> None:
    payloads = ('{"\u00e9":"1-2"}', '{"b":"1-2"}', '{"B":"1-2"}')
    rows = [rejected(str(n), "no 1-2", payload) for n, payload in enumerate(payloads)]
    found = answers(batch("1", *rows, failed("x", None)))["errors_by_sync"]
    assert by(found, "failure_reason", "failure_pattern") == {
        **{"no 1-2": ("no <B>",), None: (None,)},
    }


# The last failed outcome of a period decides, with its own payload.
def test_the_pattern_of_a_period() -> None:
    files = (
        batch("1", rejected("a", "no 1-2", '{"p":"1-2"}', 1)),
        batch("2", rejected("a", "no 1-2", '{"q":"1-2"}', 2)),
        sent("3", 3, "a", payload='{"r":"1-2"}'),
    )
    found = answers(*files)["record_failures"]
    assert picked(found, "failed_run_count failure_pattern") == [(2, "no <q>")]


# Null keys count one by one and have no samples. A null reason has a null pattern.
def test_null_keys_and_null_reasons() -> None:
    rows = [failed(None, "bad 1-2"), failed(None, "bad 1-2"), failed("a", None), failed("b", "")]
    columns = "record_count open_record_count attempt_count sample_identifiers rank_in_sync"
    assert by(patterns(batch("1", *rows)), "failure_pattern", columns) == {
        **{"bad 1-2": (2, 0, 2, [], 1), "": (1, 1, 1, ["b"], 2), None: (1, 1, 1, ["a"], 3)},
    }
    (found,) = patterns(batch("1", failed("a", None)), rules=RULES)
    assert (found["failure_reason_count"], found["sample_failure_reason"]) == (1, None)
    assert picked([found], "category is_transient hint") == [("uncategorised", None, None)]


# Invalid rows and unknown words have reasons too, and so have rows of `append`.
def test_other_failed_rows() -> None:
    found = patterns(
        batch(
            "1",
            row("a", "upsert", "DUPLICATE"),
            row("b", "append", "rejected", message="x"),
            row("12345", "upsert", "odd 12345"),
        )
    )
    assert {one["failure_pattern"] for one in found} == {
        *("Invalid record: duplicate identifier", "x", "Unrecognised status: odd <identifier>"),
    }


# A record is open with the pattern of its last outcome, whether or not it is the same reason.
def test_open_records() -> None:
    found = patterns(
        batch("1", failed("a", "no a@b.c", 1), failed("b", "no a@b.c", 1), failed("c", "x", 1)),
        batch("2", failed("a", "no d@b.c", 2), failed("b", "x", 2)),
        batch("3", row("c", "upsert", "aborted", message="x", ended=3)),
    )
    assert by(found, "failure_pattern", "record_count open_record_count") == {
        **{"no <email address>": (2, 1), "x": (2, 1)},
    }
    # a record that was deleted is not in the snapshot
    gone = patterns(sent("1", 1, "a"), deleted("2", 2, "a"), batch("3", failed("b", "x", 3)))
    assert picked(gone, "open_record_count") == [(1,)]


# Runs in order: by time, not by name. Several rows of a run count once.
def test_runs() -> None:
    found = patterns(
        batch("9", *[failed(key, "x", 1) for key in ("a", "b", None)]),
        batch("8", failed("a", "y", 2)),
        batch("7", failed("a", "x", 3)),
        batch("6", failed("a", "y", 4)),
    )
    columns = "run_count first_sync_run_id last_sync_run_id"
    assert by(found, "failure_pattern", columns) == {"x": (2, "9", "7"), "y": (2, "8", "6")}


# A pattern is new if its first run is the last settled one. Runs here settle after an hour.
@pytest.mark.parametrize(
    ("minute", "is_new"), [(2, (False, False)), (61, (True, False)), (63, (False, True))]
)
def test_new_patterns(minute: int, is_new: tuple[bool, ...]) -> None:
    files = [
        batch(run, row("a", "mirror", "rejected", message=message, ended=ended))
        for run, message, ended in (("1", "x", 0), ("2", "y", 2))
    ]
    found = patterns(*files, as_of=at(minute))
    assert tuple(one["is_new"] for one in found) == is_new
    again = patterns(*files, batch("3", failed("a", "y", 3)), as_of=AS_OF)
    assert [one["is_new"] for one in again] == [False, False]
    assert [one["is_new"] for one in patterns(*files, sent("3", 3, "b"))] == [False, False]


# Of the last run, the first reason by bytes; its own rule decides, not that of another reason.
def test_the_sample() -> None:
    files = (
        batch("1", failed("a", "a@b.c is taken", 1)),
        batch("2", *[failed(key, f"{key}@b.c is taken", 2) for key in ("c", "\u00e9", "b")]),
    )
    columns = "sample_failure_reason category is_transient hint"
    found = by(patterns(*files, rules=RULES), "failure_pattern", columns)
    # `é` is no part of an address by the rules
    assert found["<email address> is taken"] == ("b@b.c is taken", "ours", True, "ask us")
    assert found["\u00e9@b.c is taken"] == (
        "\u00e9@b.c is taken",
        "duplicates",
        False,
        "merge them",
    )


# Ranks go by records, then changelog rows, then bytes (null last).
def test_ranks() -> None:
    reasons = ("p", "p", "q", "q", "q", "\u00e9", "a", None, "B")
    keys = ("1", "2", "1", "3", "1", "4", "5", "6", "7")
    files = [
        batch(str(n), failed(key, reason, n))
        for n, (reason, key) in enumerate(zip(reasons, keys, strict=True))
    ]
    assert by(patterns(*files), "failure_pattern", "rank_in_sync") == {
        **{"q": (1,), "p": (2,), "B": (3,), "a": (4,), "\u00e9": (5,), None: (6,)},
    }


# A pruned run counts as long as a record with the pattern is left. Other columns have no trace
# of a record that was purged.
def test_pruned_and_purged() -> None:
    files = (
        batch("1", failed("a", "x", 1), failed("c", "y", 1)),
        batch("2", failed("b", "x", 2)),
        batch("3", failed("b", "x", 3), failed("a", "z", 3)),
    )
    columns = "run_count record_count attempt_count first_sync_run_id last_sync_run_id"
    whole = built(*files)
    expected = {"x": (3, 2, 3, "1", "3"), "y": (1, 1, 1, "1", "1"), "z": (1, 1, 1, "3", "3")}
    pruned = whole.after_prune(before(3))
    for one in (whole, pruned, pruned.built()):
        assert by(one.answers()["error_patterns"], "failure_pattern", columns) == expected
    purged = pruned.after_purge(Purge("o", "b")).built().answers()["error_patterns"]
    assert by(purged, "failure_pattern", columns) == expected | {"x": (2, 1, 1, "1", "1")}
    assert by(purged, "failure_pattern", "sample_identifiers is_new")["x"] == (["a"], False)
    # run 3 is not pruned, so nothing of `b` is left in it
    other = pruned.after_purge(Purge("o", "c")).built().answers()["error_patterns"]
    assert {one["failure_pattern"] for one in other} == {"x", "z"}
    without_prune = whole.after_purge(Purge("o", "b")).built().answers()
    assert by(without_prune["error_patterns"], "failure_pattern", columns)["x"] == (
        *(1, 1, 1, "1", "1"),
    )
