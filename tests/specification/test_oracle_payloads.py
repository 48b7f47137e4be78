"""The fields of payloads, worked out by hand (docs/answers.md, Payloads)."""

from typing import Any

import pytest

from oracle import payload_profiles
from oracle.answers import ANSWER_COLUMNS
from oracle.building import at, batch, lake_of, row
from oracle.retention import Purge
from specification.small_lake_answers import AS_OF, answers, picked
from specification.small_payloads import field, fields, run_of
from specification.small_retention import before, built


def counted(found: dict[str, dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """In how many payloads each field is, and how many there are."""
    return {name: (one["present_count"], one["payload_count"]) for name, one in found.items()}


def test_every_column() -> None:
    files = (
        run_of(1, {"plan": "free of charge", "seats": 1}, {"plan": None}),
        run_of(2, {"plan": "premium", "seats": 1}, {"plan": "premium"}, {"plan": 7}),
        batch("2", row("x", "upsert", "succeeded", payload='{"plan": null}'), name="c.1"),
        batch("2", row("y", "upsert", "succeeded", payload="{}"), name="c.2"),
        run_of(3, {"seats": 2.5}),
    )
    # the run ends later than its batches
    metadata = {"2": {"sync_run_finished_at": "2025-03-01T00:09:00Z"}}
    found = fields(*files, metadata=metadata)
    assert set(found) == {"plan", "seats"}
    assert set(found["plan"]) == set(ANSWER_COLUMNS["payload_fields"])
    assert found["plan"] == {
        "organization_id": "o",
        "sync_id": "s",
        "field_name": "plan",
        "first_seen_at": at(1),
        "first_sync_run_id": "1",
        "last_seen_at": at(9),
        "last_sync_run_id": "2",
        "run_count": 2,
        "is_in_last_run": False,
        "json_types": ["null", "number", "string"],
        "payload_count": 5,
        "present_count": 4,
        "present_share": 0.8,
        "null_share": 0.25,
        # premium twice, and 7
        "distinct_share": 2 / 3,
        "longest_text": len("free of charge"),
        "largest_number": 7.0,
        "declared_type": None,
        "is_as_declared": None,
        "data_until_at": at(9),
        "source_name": "lake",
        "vendor": "census",
    }
    seats = found["seats"]
    assert (seats["run_count"], seats["is_in_last_run"], seats["largest_number"]) == (3, True, 2.5)
    assert (seats["first_seen_at"], seats["last_seen_at"]) == (at(1), at(3))


# Without any time of its batches, a run has none.
def test_a_run_without_a_time() -> None:
    found = field(batch("1", row("a", "upsert", "succeeded", payload='{"x": 1}')))
    assert (found["first_seen_at"], found["last_seen_at"]) == (None, None)
    assert (found["first_sync_run_id"], found["last_sync_run_id"]) == ("1", "1")


def test_the_first_of_fields_that_repeat() -> None:
    found = field(run_of(1, '{"a": 1, "a": "x", "a": null}', '{"a": 2}'))
    assert (found["json_types"], found["present_count"]) == (["number"], 2)


def test_half_of_a_surrogate_pair_in_a_name() -> None:
    found = field(run_of(1, '{"\\ud800x": 1, "\\udc00x": "b", "?x": null}', '{"?x": 7}'))
    assert (found["field_name"], found["json_types"]) == ("?x", ["number"])
    assert (found["present_count"], found["largest_number"]) == (2, 7.0)
    assert set(fields(run_of(1, '{"\\ud83d\\ude00": 1}', '{"": 1}'))) == {"\U0001f600", ""}


# Payloads that are null, empty, damaged, or no object are not counted.
def test_payloads_that_are_not_profiled() -> None:
    others = (None, "", " ", "text", "[1]", "7", "null", '{"a": 1', '{"a": NaN}', '{"a":1}{"b":2}')
    found = answers(run_of(1, *others))
    assert (found["payload_fields"], found["payload_schema_changes"]) == ([], [])
    assert counted(fields(run_of(1, *others, {"a": 2}))) == {"a": (1, 1)}


# An object without fields is a payload.
def test_an_empty_object() -> None:
    assert counted(fields(run_of(1, {}, {}, {"a": 1}, {}))) == {"a": (1, 4)}
    found = field(run_of(1, {"a": 1}), run_of(2, {}))
    assert picked([found], "is_in_last_run run_count last_sync_run_id") == [(False, 1, "1")]


def test_runs_without_payloads_in_between() -> None:
    runs = (run_of(1, {"a": 1}), run_of(2, None), run_of(3, {"a": 2}), run_of(4, None), run_of(5))
    found = field(*runs)
    assert picked([found], "is_in_last_run run_count last_sync_run_id") == [(True, 2, "3")]


# Rows of the changelog of any outcome, so of several attempts only the final one; no deletes.
def test_rows_that_count() -> None:
    kept, other = '{"kept": 1}', '{"other": 1}'
    rows = [
        row("a", "upsert", "succeeded", payload=kept),
        row("b", "upsert", "rejected", payload=kept),
        row("c", "upsert", "aborted", payload=kept),
        row("d", "append", "succeeded", payload=kept),
        row("e", "mirror", "succeeded", payload=kept),
        row(None, "upsert", "rejected", payload=kept),
        row("f", "upsert", "DUPLICATE", payload=kept),
        row("g", "polish", "succeeded", payload=kept),
        row("h", "delete", "succeeded", payload=other),
        row("i", "delete", "rejected", payload=other),
        row("j", "upsert", "rejected", payload=other),
        row("j", "upsert", "succeeded", payload=kept),
    ]
    assert counted(fields(batch("1", *rows))) == {"kept": (9, 9)}


# crc32 of a, b and c is odd (3904355907, 1908338681, 112844655), and even of d and e (2564639436,
# 4024072794).
def test_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload_profiles, "MOST_RECORDS", 4)

    def of(keys: str) -> dict[str, tuple[int, int]]:
        rows = [row(key, "upsert", "succeeded", payload=f'{{"{key}": 1}}') for key in keys]
        return counted(fields(batch("1", *rows)))

    assert of("abcd") == dict.fromkeys("abcd", (1, 4))
    assert of("abcde") == {"d": (1, 2), "e": (1, 2)}
    # all rows of the run count for its size: two attempts of a record, and deletes
    assert of("abcdd") == {"d": (1, 1)}
    deletes = [row(key, "delete", "succeeded") for key in "xyz"]
    rows = [row(key, "upsert", "succeeded", payload='{"n": 1}') for key in "ad"]
    assert counted(fields(batch("1", *rows, *deletes))) == {"n": (1, 1)}
    # nine rows: one of three, and the sums of the digits are 45, 47, 36 and 48
    assert of("bcbcbcbda") == {"a": (1, 3), "c": (1, 3), "d": (1, 3)}


# Without an identifier, the key is the place: crc32 of b.1.parquet/1, 4 and so on. A text in UTF-8.
def test_keys_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload_profiles, "MOST_RECORDS", 3)
    # 624384667, 1378904589, 3409525687, 3158182689, 576364162: only the last one is even
    rows = [row(None, "upsert", "rejected", payload=f'{{"{n}": 1}}') for n in range(5)]
    assert counted(fields(batch("1", *rows))) == {"4": (1, 1)}
    # 1675192789 and 0
    rows = [row(key, "upsert", "succeeded", payload='{"n": 1}') for key in ("\u00fc", "")]
    assert counted(fields(batch("1", *rows, *[row("a", "delete", "succeeded")] * 2))) == {
        "n": (1, 1)
    }


# The fields that most payloads have; of others, the first names.
def test_most_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload_profiles, "MOST_FIELDS", 2)
    assert set(fields(run_of(1, {"b": 1, "c": 1, "a": 1}, {"c": None}))) == {"c", "a"}
    # by bytes, not by halves of pairs
    assert set(fields(run_of(1, {"\U00010000": 1, "\uffff": 1, "z": 1}))) == {"z", "\uffff"}
    # the limit is for each run
    found = fields(run_of(1, {"a": 1, "b": 1, "c": 1}), run_of(2, {"c": 1}))
    assert {name: one["run_count"] for name, one in found.items()} == {"a": 1, "b": 1, "c": 1}
    assert found["c"]["first_sync_run_id"] == "2"


def test_syncs_are_apart() -> None:
    found = answers(run_of(1, {"a": 1}), run_of(1, {"a": "x"}, sync="t"))["payload_fields"]
    assert sorted((one["sync_id"], one["json_types"]) for one in found) == [
        *[("s", ["number"]), ("t", ["string"])]
    ]


# A run that may go on counts like others.
def test_a_run_that_is_not_settled() -> None:
    found = field(run_of(1, {"a": 1}), run_of(2, {"a": 2}), as_of=at(3))
    assert (found["last_sync_run_id"], found["largest_number"]) == ("2", 2.0)


# Pruned runs stay as they were, with purged records; in other runs, these do not count.
def test_after_a_prune_and_a_purge() -> None:
    files = (run_of(1, {"a": "long"}, {"b": 1}), run_of(2, {"a": "s"}))
    pruned = built(*files).after_prune(before(2)).built()
    whole = built(*files).answers()["payload_fields"]
    assert pruned.answers()["payload_fields"] == whole
    # the record 0001 has the field b
    purge = Purge("o", "0001")
    assert pruned.after_purge(purge).built().answers()["payload_fields"] == whole
    (left,) = built(*files).after_purge(purge).built().answers()["payload_fields"]
    assert (left["field_name"], left["longest_text"]) == ("a", 4)
    # a run that comes too late
    late = pruned.built(lake_of(run_of(0, {"late": 1})), AS_OF)
    assert late.answers()["payload_fields"] == whole
