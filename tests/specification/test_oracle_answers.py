"""Answers on errors and records (docs/answers.md): expected values worked out by hand."""

import json

import pytest

from oracle import ANSWER_COLUMNS, ErrorRule, differences, read_answer
from oracle.building import at, batch, row, sent
from specification.small_lake_answers import answers, by, deleted, failed, picked

NULL_KEY = "Invalid record: identifier is null"
DUPLICATE = "Invalid record: duplicate identifier"


ERRORS = (
    batch(
        "1",
        *[failed("a", "x", 1), failed("b", "x", 1)],
        *[row(None, "upsert", "NULL", ended=1)] * 2,
    ),
    batch(
        "2",
        *[failed("a", "x", 2), row("b", "upsert", "succeeded", ended=2), failed("c", None, 2)],
        *[row("d", "append", "rejected", message="x", ended=2)] * 2,
        *[row("e", "upsert", "aborted", message="x", ended=2)],
    ),
    batch("3", row("a", "upsert", "DUPLICATE", ended=4), failed("a", "y", 3)),
)


# A reason can be null. Each identifier counts once, also in append rows. Each null key counts.
def test_errors_of_a_sync() -> None:
    found = by(
        answers(*ERRORS)["errors_by_sync"],
        "failure_reason",
        "record_count open_record_count attempt_count first_seen_at last_seen_at last_sync_run_id "
        "sample_identifiers rank_in_sync rank_overall",
    )
    assert found == {
        "x": (3, 1, 5, at(1), at(2), "2", ["a", "d", "b"], 1, 1),
        NULL_KEY: (2, 0, 2, at(1), at(1), "1", [], 2, 2),
        DUPLICATE: (1, 0, 1, at(4), at(4), "3", ["a"], 3, 3),
        "y": (1, 1, 1, at(3), at(3), "3", ["a"], 4, 4),
        None: (1, 1, 1, at(2), at(2), "2", ["c"], 5, 5),
    }
    # the open failure of `a` began with another reason; an append row is no failure
    assert by(answers(*ERRORS)["errors_by_sync"], "failure_reason", "failing_since_at") == {
        **{"x": (None,), NULL_KEY: (None,), DUPLICATE: (None,), "y": (at(1),), None: (at(2),)}
    }
    (some, *others) = answers(*ERRORS)["errors_by_sync"]
    assert {one["data_until_at"] for one in (some, *others)} == {at(4)}
    assert (some["category"], some["is_transient"]) == ("uncategorised", None)


# Null keys and identifiers with one reason. If no row has a time, the times are null.
def test_errors_without_times() -> None:
    rows = [row(key, "upsert", "rejected", message="x") for key in (None, None, "a", "a", "")]
    (found,) = answers(batch("1", *rows))["errors_by_sync"]
    # `a` has one final attempt in the run; each null key has its own
    assert (found["record_count"], found["attempt_count"], found["open_record_count"]) == (4, 4, 2)
    assert (found["first_seen_at"], found["last_seen_at"], found["data_until_at"]) == (None,) * 3
    assert found["sample_identifiers"] == ["", "a"]


# A record that is not in the snapshot is not open: here, a rejected delete of a record that is out.
def test_open_is_what_the_snapshot_shows() -> None:
    found = answers(
        batch("1", failed("a", "x"), failed("b", "x", 1)),
        batch("2", row("a", "delete", "rejected", message="x", ended=2)),
    )
    assert picked(found["errors_by_sync"], "record_count open_record_count") == [(2, 1)]
    assert picked(found["sync_statistics"], "record_count open_record_count") == [(2, 1)]


# Samples are ordered by the run of the last row with the reason, latest first, then by bytes.
# There are at most five.
def test_samples() -> None:
    found = answers(
        batch("1", failed("a", "x", 1), failed("z", "x", 1), failed("b", "y", 1)),
        batch("2", *[failed(key, "x", 2) for key in ("\u00e9", "z", "B", "e\u0301")]),
        batch("3", failed("a", "y", 3), failed("B", "y", 3)),
    )
    samples = {one["failure_reason"]: one["sample_identifiers"] for one in found["errors_by_sync"]}
    assert samples == {"x": ["B", "e\u0301", "z", "\u00e9", "a"], "y": ["B", "a", "b"]}
    many = answers(batch("1", *[failed(str(number), "x") for number in range(9, 0, -1)]))
    assert many["errors_by_sync"][0]["sample_identifiers"] == ["1", "2", "3", "4", "5"]


# Ranks go by records, then attempts, then bytes (null last). An organisation ranks its own sums.
def test_ranks() -> None:
    found = answers(
        batch("1", failed("a", "p", 1), failed("b", "p", 1), failed("c", "q", 1)),
        batch("2", failed("c", "q", 2)),
        batch("1", failed("c", "q", 1), failed("d", "r", 1), sync="t"),
        batch("1", failed("a", "r", 1), organization="o2"),
    )
    ranks = picked(found["errors_by_sync"], "organization_id sync_id failure_reason")
    numbers = picked(found["errors_by_sync"], "rank_in_sync rank_overall")
    assert dict(zip(ranks, numbers, strict=True)) == {
        # p: 2 records, 2 attempts; q: 2 records, 3 attempts
        ("o", "s", "p"): (1, 2),
        ("o", "s", "q"): (2, 1),
        ("o", "t", "q"): (1, 1),
        ("o", "t", "r"): (2, 3),
        ("o2", "s", "r"): (1, 1),
    }
    reasons = ("\u00e9", "a", None, "B", "")
    order: dict[str | None, int] = {"": 1, "B": 2, "a": 3, "\u00e9": 4, None: 5}
    ties = answers(batch("1", *[failed(str(reason), reason) for reason in reasons]))
    assert by(ties["errors_by_sync"], "failure_reason", "rank_in_sync") == {
        reason: (rank,) for reason, rank in order.items()
    }


RULES = (
    ErrorRule("time.?out", "network", 20, True, "wait"),
    ErrorRule("^time", "clock", 30, False, "look"),
    ErrorRule("limit$", "quota", 20, True, "later"),
    ErrorRule("rate", "network", 10, False, "slow down"),
    ErrorRule("a", "aaa", 40),
    ErrorRule("never met", "clock", 5, True, "first"),
)


# Of the matching rules, the lowest number applies, then category, then pattern. A null reason
# matches no rule.
@pytest.mark.parametrize(
    ("reason", "category", "is_transient"),
    [
        ("timeout", "network", True),
        ("time is out", "clock", False),
        ("no timeout at the limit", "network", True),
        ("rate limit", "network", False),
        ("a", "aaa", None),
        ("Limit", "uncategorised", None),
        (None, "uncategorised", None),
    ],
)
def test_the_rule_that_applies(
    reason: str | None, category: str, is_transient: bool | None
) -> None:
    found = answers(batch("1", failed("k", reason)), rules=RULES)
    assert picked(found["errors_by_sync"], "category is_transient") == [(category, is_transient)]
    assert [one["category"] for one in found["errors_by_category"]] == [category]


def test_equal_rules_are_ordered_by_their_expression() -> None:
    rules = (ErrorRule("x", "c", 1, True, "of x"), ErrorRule(".", "c", 1, False, "of any"))
    found = answers(batch("1", failed("k", "x")), rules=rules)
    assert found["errors_by_sync"][0]["is_transient"] is False
    assert found["errors_by_category"][0]["hint"] == "of any"


# A record with two reasons in one category counts once. The hint comes from the first rule.
def test_errors_by_category() -> None:
    files = (
        batch("1", failed("a", "timeout", 1), failed("b", "rate", 1), failed("c", "rate", 1)),
        batch("2", failed("a", "rate 2", 2), failed("b", None, 2), failed(None, "odd", 2)),
        batch("3", failed("a", "time", 3), row("c", "upsert", "succeeded", ended=3)),
        batch("4", failed("d", "rate 2", 4), failed("e", "odd", 4)),
    )
    found = by(
        answers(*files, rules=RULES)["errors_by_category"],
        "category",
        "is_transient hint failure_reason_count record_count open_record_count attempt_count "
        "first_seen_at last_seen_at top_failure_reason data_until_at",
    )
    assert found == {
        # rate: 2 records, rate 2: 2, timeout: 1
        "network": (False, "slow down", 3, 4, 1, 5, at(1), at(4), "rate", at(4)),
        "clock": (True, "first", 1, 1, 1, 1, at(3), at(3), "time", at(4)),
        "uncategorised": (None, None, 2, 3, 2, 3, at(2), at(4), "odd", at(4)),
    }


RECORD = (
    sent("0", 0, "z"),
    batch("1", failed("a", "x", 10)),
    sent("2", 20, "a"),
    batch(
        "3", row("a", "upsert", "DUPLICATE", ended=31), row("a", "upsert", "succeeded", ended=30)
    ),
    deleted("4", 40, "a"),
    sent("5", 50, "a"),
    batch("6", row("a", "upsert", "aborted", ended=60)),
    batch("7", row("a", "upsert", "DUPLICATE", ended=70), row(None, "upsert", "succeeded")),
)


def test_the_history_of_a_record() -> None:
    history = {one["row_id"]: one for one in answers(*RECORD)["record_history"]}
    assert set(history) == {"a", "z"}
    found = {column: history["a"][column] for column in ANSWER_COLUMNS["record_history"]}
    assert found == {
        **{"organization_id": "o", "sync_id": "s", "row_id": "a"},
        **{"first_attempted_at": at(10), "first_added_at": at(20)},
        **{"last_succeeded_at": at(50), "last_failed_at": at(70), "last_attempted_at": at(70)},
        **{"planned_count": 8, "attempted_count": 7, "succeeded_count": 4, "failed_count": 3},
        **{"invalid_count": 2, "aborted_count": 1},
        **{"added_count": 2, "changed_count": 1, "removed_count": 1},
        **{"entry_count": 2, "exit_count": 1},
        **{"op_type": "changed", "status": "failed", "failure_reason": DUPLICATE},
        **{"failure_count": 2, "failing_since_at": at(70)},
        **{"last_sync_run_id": "7", "is_delivered": True, "entered_at": at(50)},
        **{"data_until_at": at(70), "source_name": "lake", "vendor": "census"},
    }
    # run 3 had a better attempt than its duplicate, although the duplicate came last
    earlier = by(answers(*RECORD[:4])["record_history"], "row_id", "status last_sync_run_id")
    assert earlier["a"] == ("succeeded", "3")
    # not `unchanged`, although the last run did not send it
    assert by(answers(*RECORD)["record_history"], "row_id", "op_type status")["z"] == (
        *("added", "succeeded"),
    )


LAST = "op_type status is_delivered entered_at entry_count exit_count removed_count"


# The last outcome of records that the snapshot does not show, or that entered before the log began.
def test_the_history_of_records_that_are_out() -> None:
    files = [sent("1", 1, "a", "b"), deleted("2", 2, "a", "late")]
    files.append(batch("2", row("late 2", "delete", "rejected", ended=2)))
    found = by(answers(*files)["record_history"], "row_id", LAST)
    assert found == {
        "a": ("removed", "succeeded", False, None, 1, 1, 1),
        "b": ("added", "succeeded", True, at(1), 1, 0, 0),
        "late": ("removed", "succeeded", False, None, 1, 1, 1),
        "late 2": ("removed", "failed", True, None, 1, 0, 0),
    }
    # a replacing run: `b` left without a changelog row, so its last outcome is still that of run 1
    mirror = batch("3", row("m", "mirror", "succeeded", ended=3))
    found = by(answers(*files, mirror)["record_history"], "row_id", LAST)
    assert found["b"] == ("added", "succeeded", False, None, 1, 1, 0)
    assert found["late 2"] == ("removed", "failed", False, None, 1, 1, 0)
    assert found["m"] == ("added", "succeeded", True, at(3), 1, 0, 0)


# Each append row counts. The last row of the last run that is not invalid is the outcome (R14).
def test_the_history_of_appended_records() -> None:
    words = ("succeeded", "rejected", "DUPLICATE")
    files = (
        batch("1", *[row("a", "append", word, message=word) for word in words]),
        batch("2", *[row("a", "append", word, message=word) for word in words[:2]]),
    )
    (found,) = answers(*files)["record_history"]
    assert picked([found], "planned_count succeeded_count failed_count invalid_count") == [
        (5, 2, 3, 1)
    ]
    assert picked([found], "added_count entry_count is_delivered first_added_at") == [
        (2, 0, False, None)
    ]
    assert picked([found], "status failure_reason last_sync_run_id") == [
        ("failed", "rejected", "2")
    ]


# Records that entered at least twice, by flap count, then succeeded changes, then bytes.
def test_flapping_records() -> None:
    flapping = ("a", "b", "B", "\u00e9")
    changed = batch(
        "4",
        *[row("b", "upsert", "succeeded", ended=4), row("a", "delete", "succeeded", ended=4)],
        row("B", "upsert", "rejected", ended=4),
    )
    found = answers(
        sent("1", 1, "once", *flapping),
        deleted("2", 2, *flapping),
        sent("3", 3, *flapping),
        changed,
        sent("5", 5, "a", "once"),
        deleted("5", 5, "B"),
    )["flapping_records"]
    columns = "rank_in_sync flap_count entry_count exit_count changed_count is_delivered"
    assert by(found, "row_id", columns) == {
        "a": (1, 2, 3, 2, 0, True),
        "b": (2, 1, 2, 1, 1, True),
        "B": (3, 1, 2, 2, 0, False),
        "\u00e9": (4, 1, 2, 1, 0, True),
    }
    assert {one["data_until_at"] for one in found} == {at(5)}


# Exits that a replacing run implies, and the entry of a late start, count as flapping.
def test_flapping_counts_what_was_not_observed() -> None:
    found = answers(
        deleted("1", 1, "late"),
        sent("2", 2, "late", "b"),
        batch("3", row("b", "mirror", "succeeded", ended=3)),
    )
    assert picked(found["flapping_records"], "row_id flap_count entry_count exit_count") == [
        ("late", 1, 2, 2)
    ]


# Every row has the columns of its table. In a built table, the samples are JSON.
def test_columns() -> None:
    found = answers(*ERRORS, *RECORD)
    for name, columns in ANSWER_COLUMNS.items():
        for one in found[name]:
            assert set(columns) <= set(one)
    (first, *_) = found["errors_by_sync"]
    built = first | {"sample_identifiers": json.dumps(first["sample_identifiers"])}
    columns = ANSWER_COLUMNS["errors_by_sync"]
    assert differences([first], [read_answer(built)], columns) == []
    assert differences([first], [built], columns) != []
    assert read_answer({"n": 1}) == {"n": 1}
