"""How fields of payloads change, worked out by hand (docs/answers.md, Payloads)."""

from typing import Any

import pytest

from oracle import payload_profiles
from oracle.answers import ANSWER_COLUMNS
from oracle.building import at
from oracle.lake import BatchFile
from specification.small_lake_answers import Metadata, answers
from specification.small_payloads import changes, run_of
from specification.small_retention import before, built, kept

NAMED = "sync_run_id field_name change_type"


def named(*files: BatchFile, **more: Any) -> list[tuple[Any, ...]]:
    """Say which fields changed in which run, and how."""
    return changes(*files, columns=NAMED, **more)


def test_every_column() -> None:
    files = (run_of(1, {"a": 1}), run_of(2, {"a": 1}, {"a": 2, "b": 1}, {"b": None}))
    metadata: Metadata = {"2": {"sync_run_finished_at": "2025-03-01T00:09:00Z"}}
    (found,) = answers(*files, metadata=metadata)["payload_schema_changes"]
    assert set(found) == set(ANSWER_COLUMNS["payload_schema_changes"])
    assert found == {
        "organization_id": "o",
        "sync_id": "s",
        "sync_run_id": "2",
        "run_at": at(9),
        "field_name": "b",
        "change_type": "appeared",
        "json_types": ["null", "number"],
        "previous_sync_run_id": "1",
        "previous_count": 0,
        "previous_payload_count": 1,
        "new_count": 2,
        "payload_count": 3,
        "data_until_at": at(9),
        "source_name": "lake",
        "vendor": "census",
    }


# A field appears once, however often it is missing in between. The first run has no changes.
def test_appeared() -> None:
    with_b, without = run_of(1, {"a": 1, "b": 1}), {"a": 1}
    assert changes(with_b) == []
    assert named(with_b, run_of(2, without), run_of(3, {"a": 1, "b": 1})) == []
    found = changes(run_of(1, without), run_of(2, {"b": [7]}, without, {}), run_of(3, {"b": [7]}))
    assert found == [("2", "b", "appeared", ["array"], "1", 0, 1, 1, 3)]
    # only null is a type here, and values that follow are no change
    found = changes(run_of(1, without), run_of(2, {"a": 1, "b": None}), run_of(3, {"a": 1, "b": 1}))
    assert found == [("2", "b", "appeared", ["null"], "1", 0, 1, 1, 1)]


# How many payloads have the field in a run and how many there are, and how many are in the next.
@pytest.mark.parametrize(
    ("count", "of", "then", "is_missed"),
    [
        (10, 10, 10, True),
        (10, 10, 9, False),
        (9, 9, 10, True),
        (5, 10, 20, True),
        (5, 10, 19, False),
        (1, 3, 30, True),
        (1, 3, 29, False),
        (30, 30, 1, False),
        # ten exactly, although 10 / 77 * 77 is less as a double
        (10, 77, 77, True),
        (10, 78, 77, False),
    ],
)
def test_enough_to_be_missed(count: int, of: int, then: int, is_missed: bool) -> None:
    before = run_of(1, *[{"a": 1, "x": "v"}] * count, *[{"a": 1}] * (of - count))
    gone = [("2", "x", "vanished", None, "1", count, of, 0, then)]
    assert changes(before, run_of(2, *[{"a": 1}] * then)) == (gone if is_missed else [])
    # in which it is null only, in one payload or in all
    null = [("2", "x", "all null", None, "1", count, of, 0, then)]
    for nulls in {1, then}:
        payloads = [{"a": 1, "x": None}] * nulls + [{"a": 1}] * (then - nulls)
        assert changes(before, run_of(2, *payloads)) == (null if is_missed else [])
    # if one payload has it, it is there
    assert changes(before, run_of(2, *[{"a": 1}] * (then - 1), {"x": "w"})) == []


# Only with values that are not null, a field can become null. To vanish, it may be null.
def test_values_that_are_missed() -> None:
    files = (run_of(1, *[{"x": 1}] * 10, *[{"x": None}] * 10),)
    found = ("2", "x", "all null", None, "1", 10, 20, 0, 20)
    assert changes(*files, run_of(2, *[{"x": None}] * 20)) == [found]
    assert changes(*files, run_of(2, *[{"x": None}] * 19)) == []
    gone = ("2", "x", "vanished", None, "1", 20, 20, 0, 10)
    assert changes(*files, run_of(2, *[{}] * 10)) == [gone]
    assert changes(*files, run_of(2, *[{}] * 9)) == []
    nulls = [run_of(n, *[{"x": None}] * 20) for n in (1, 2)]
    assert changes(*nulls) == []
    assert named(*nulls, run_of(3, *[{}] * 20)) == [("3", "x", "vanished")]


# A run is compared with the one before it, so it is said once, and each time.
def test_a_field_that_comes_and_goes() -> None:
    full: list[object] = [{"x": 1}] * 10
    empty: list[object] = [{}] * 10
    files = [run_of(n, *(full if n in (1, 2, 5) else empty)) for n in range(1, 8)]
    assert named(*files) == [("3", "x", "vanished"), ("6", "x", "vanished")]
    null: list[object] = [{"x": None}] * 10
    files = [run_of(n, *(full if n in (1, 4) else null)) for n in range(1, 7)]
    assert named(*files) == [("2", "x", "all null"), ("5", "x", "all null")]


def test_new_types() -> None:
    files = [run_of(1, {"x": 1}, {"x": None}), run_of(2, {"x": 2})]
    # one row for all new types; null is none
    files.append(run_of(3, {"x": "a"}, {"x": True}, {"x": "b"}, {"x": 3}, {"x": None}, {}))
    found = [("3", "x", "new type", ["boolean", "string"], "2", 1, 1, 3, 6)]
    assert changes(*files) == found
    # types of any earlier run are known
    files += [run_of(4, {"x": 1}), run_of(5, {"x": "c"}, {"x": False}, {"x": None})]
    assert changes(*files) == found
    # also if it is not in the run before, or only as null
    files += [run_of(6, {"y": 1}), run_of(7, {"x": []})]
    found += [
        ("6", "y", "appeared", ["number"], "5", 0, 3, 1, 1),
        ("7", "x", "new type", ["array"], "6", 0, 1, 1, 1),
    ]
    assert changes(*files) == found
    files += [run_of(8, {"x": None}), run_of(9, {"x": {}}, {"x": 1})]
    assert changes(*files)[3:] == [("9", "x", "new type", ["object"], "8", 0, 1, 1, 2)]


# The first type of a field that was null only is no change.
def test_the_first_type() -> None:
    assert changes(run_of(1, {"x": None}), run_of(2, {"x": 1})) == []
    files = (run_of(1, {"x": None}), run_of(2, {"x": 1}), run_of(3, {"x": "a"}))
    assert named(*files) == [("3", "x", "new type")]


# Several changes of a run, and runs without payloads in between.
def test_several_changes() -> None:
    before = run_of(1, *[{"a": 1, "b": 1, "c": 1, "d": 1}] * 10)
    after = run_of(3, *[{"a": 1, "b": "x", "c": None, "e": 1}] * 10)
    expected = [
        ("3", "b", "new type", ["string"], "1", 10, 10, 10, 10),
        ("3", "c", "all null", None, "1", 10, 10, 0, 10),
        ("3", "d", "vanished", None, "1", 10, 10, 0, 10),
        ("3", "e", "appeared", ["number"], "1", 0, 10, 10, 10),
    ]
    for between in (run_of(2), run_of(2, None, None), run_of(2, "text", "[]")):
        assert changes(before, between, after) == expected
    # a run of empty objects is one with payloads
    empty = run_of(2, {})
    assert [one[:3] for one in changes(before, empty, after)] == [
        *[("3", "b", "new type"), ("3", "e", "appeared")]
    ]


def test_syncs_are_apart() -> None:
    files = (run_of(1, {"a": 1}), run_of(2, {"a": "x", "b": 1}, sync="t"))
    assert changes(*files) == []


# A field beyond the most is not there.
def test_fields_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload_profiles, "MOST_FIELDS", 1)
    files = (run_of(1, *[{"a": 1, "b": 1}] * 10), run_of(2, *[{"a": 1, "b": 1}] * 10, {"b": 1}))
    assert changes(*files) == [
        ("2", "a", "vanished", None, "1", 10, 10, 0, 11),
        ("2", "b", "appeared", ["number"], "1", 0, 10, 11, 11),
    ]


# Of a sample, the counts are those of the sample: crc32 is even of 0000 to 0003, 0008 and 0009, and
# odd of 0004 to 0007 and 0010.
def test_counts_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload_profiles, "MOST_RECORDS", 10)
    found = changes(run_of(1, {"a": 1}), run_of(2, *[{"b": 1}] * 11))
    assert found == [("2", "b", "appeared", ["number"], "1", 0, 1, 6, 6)]


def test_after_a_prune() -> None:
    files = [run_of(1, {"a": 1}), run_of(2, {"a": "x"}), run_of(3, {"b": 1})]
    whole = built(*files).answers()["payload_schema_changes"]
    assert len(whole) == 2
    pruned = built(*files).after_prune(before(3)).built()
    assert pruned.answers()["payload_schema_changes"] == whole


def test_a_sync_whose_changelog_is_not_kept() -> None:
    files = [run_of(1, {"a": 1}), run_of(2, {"a": "x"})]
    found = kept(*files, keep_changelog=False).answers()
    assert (found["payload_fields"], found["payload_schema_changes"]) == ([], [])
