"""Delivered state, memberships, snapshot and runs: expected values worked out by hand."""

from datetime import datetime
from typing import Any

import pytest

from oracle.building import at, batch, lake_of, row, unreadable
from oracle.lake import BatchFile
from oracle.semantics import compute
from specification.small_lake_answers import Tables, intervals

AS_OF = at(10_000)


def tables(
    *files: BatchFile, metadata: dict[str, object] | None = None, as_of: datetime = AS_OF
) -> Tables:
    return compute(lake_of(*files, metadata=metadata), as_of)


def snapshot(found: Tables) -> dict[str, tuple[Any, ...]]:
    return {
        r["row_id"]: (r["op_type"], r["status"], r["is_delivered"]) for r in found["sync_snapshot"]
    }


def op_types(found: Tables) -> list[tuple[str, str]]:
    return [(r["sync_run_id"], r["op_type"]) for r in found["sync_changelog"]]


OTHER = batch("0", row("z", "upsert", "succeeded", ended=0))


# Late start: earlier rows keep their op_type. The record is in before the run that reveals it (R5).
def test_late_start_of_the_log() -> None:
    found = tables(
        OTHER,
        batch("1", row("a", "upsert", "DUPLICATE", ended=1)),
        batch("2", row("a", "upsert", "NULL", ended=2), row("a", "delete", "rejected", ended=3)),
        batch("3", row("a", "delete", "succeeded", ended=4)),
    )
    assert op_types(found)[1:] == [
        *[("1", "added"), ("2", "changed"), ("2", "removed"), ("3", "removed")]
    ]
    assert intervals(found) == [(None, None, False, "3", at(4), True)]


# A late start requires that the first reached attempt is a delete and that no replacing run came
# before.
def test_no_late_start_after_another_attempt_or_a_replacing_run() -> None:
    rejected = batch("1", row("a", "upsert", "rejected", ended=1))
    mirror = batch("1", row("b", "mirror", "succeeded", ended=1))
    delete = batch("2", row("a", "delete", "succeeded", ended=2))
    assert intervals(tables(rejected, delete)) == []
    assert intervals(tables(mirror, delete)) == []


# Unknown operations change nothing. Null keys and append rows have no state.
def test_rows_without_effect() -> None:
    found = tables(
        batch(
            "1",
            *[row("a", "sync", "succeeded"), row("b", "append", "succeeded")],
            *[row(None, "upsert", "succeeded"), row("c", "upsert", "odd")],
        )
    )
    assert found["audience_memberships"] == []
    assert snapshot(found) == {
        "a": ("added", "failed", False),
        "b": ("added", "succeeded", False),
        "c": ("added", "failed", False),
    }


# entry_observed is false for updates and in the first run on record (R7: with or without records).
def test_observed_entries() -> None:
    upsert = batch("1", row("a", "upsert", "succeeded", started=5, ended=6))
    update = batch("2", row("b", "updated", "succeeded", started=7, ended=8))
    assert [i[2] for i in intervals(tables(upsert))] == [False]
    assert [i[2] for i in intervals(tables(OTHER, upsert))] == [True]
    announced: dict[str, object] = {"0": {"sync_run_started_at": "2025-03-01T00:00:00Z"}}
    assert [i[2] for i in intervals(tables(upsert, metadata=announced))] == [True]
    assert intervals(tables(upsert, update), "b") == [("2", at(8), False, None, None, None)]


# An event has the end of the deciding attempt, or else order_at. It is never before the previous
# event.
def test_event_times() -> None:
    found = tables(
        OTHER,
        batch("1", row("a", "upsert", "succeeded", started=10, ended=50)),
        batch("2", row("a", "delete", "succeeded", started=20, ended=30)),
        batch("3", row("a", "upsert", "succeeded", started=60)),
    )
    assert intervals(found) == [
        ("1", at(50), True, "2", at(50), True),
        ("3", at(60), True, None, None, None),
    ]


MEMBERS = batch(
    "1",
    *[row(key, "mirror", "succeeded", ended=1) for key in ("a", "b", "c")],
    row("d", "delete", "rejected", ended=1),
)
REPLACEMENT = [
    row("a", "mirror", "succeeded", ended=100),
    row("b", "mirror", "rejected", ended=110),
    row("e", "mirror", "succeeded", ended=105),
    row("e", "mirror", "rejected", ended=106),
]


# Mirror: all records except the succeeded ones leave, also rejected ones, at the last batch end.
def test_a_replacing_run_replaces() -> None:
    found = tables(OTHER, MEMBERS, batch("2", *REPLACEMENT))
    assert intervals(found, "a") == [("1", at(1), True, None, None, None)]
    assert intervals(found, "b") == [("1", at(1), True, "2", at(110), False)]
    assert intervals(found, "c") == [("1", at(1), True, "2", at(110), False)]
    # The first replacing run itself reveals a late start. The record leaves in that run.
    assert intervals(found, "d") == [(None, None, False, "1", at(1), False)]
    assert intervals(found, "e") == [("2", at(105), True, None, None, None)]
    assert intervals(found, "z") == [("0", at(0), False, "1", at(1), False)]
    # No changelog row is added. Keys last seen before the last replacing run are left out.
    changed = [r["row_id"] for r in found["sync_changelog"] if r["sync_run_id"] == "2"]
    assert sorted(changed) == ["a", "b", "e"]
    assert snapshot(found) == {
        "a": ("changed", "succeeded", True),
        "b": ("changed", "failed", False),
        "e": ("added", "failed", True),
    }


# A mirror run replaces nothing if it is not settled, or has an aborted row, a reported failure or
# an unreadable file.
@pytest.mark.parametrize("case", ["unsettled", "aborted", "reported", "unreadable", "null key"])
def test_a_doubtful_mirror_run_replaces_nothing(case: str) -> None:
    rows, files = list(REPLACEMENT), [OTHER, batch("1", row("c", "upsert", "succeeded", ended=1))]
    metadata: dict[str, object] = {}
    as_of = AS_OF
    if case == "unsettled":
        # The end was exactly sixty minutes ago, and a later run does not settle a mirror run.
        as_of = at(170)
        files.append(batch("3", row("z", "upsert", "rejected", ended=120)))
    elif case == "aborted":
        rows.append(row("f", "mirror", "aborted", ended=100))
    elif case == "reported":
        metadata["2"] = {"sync_run_status": " Canceled"}
    elif case == "unreadable":
        files.append(unreadable("2"))
    else:
        rows = [row(None, "mirror", "succeeded", ended=100), *REPLACEMENT[1:2]]
    found = tables(*files, batch("2", *rows), metadata=metadata, as_of=as_of)
    assert intervals(found, "c") == [("1", at(1), True, None, None, None)]


# All ways to settle. The status of a run that is not settled is null.
def test_settled() -> None:
    upsert = batch("1", row("a", "upsert", "succeeded", ended=100))
    later = batch("2", row("a", "upsert", "succeeded", ended=200))

    def status(as_of: int, *files: BatchFile, **facts: object) -> Any:
        found = tables(upsert, *files, metadata={"1": facts}, as_of=at(as_of))
        return found["sync_runs"][0]["status"]

    assert status(160) is None
    assert status(161) == "succeeded"
    assert status(100, later) == "succeeded"
    for word in ("running", "Working", "queued", "Querying", "processing", "in progress"):
        assert (status(100, sync_run_status=word), status(161, sync_run_status=word)) == (
            (None, "succeeded")
        )
    for word in ("Error", "Incomplete", "interrupted", "skipped", "cancelled"):
        assert status(100, sync_run_status=word) == "failed"
    assert status(100, sync_run_status="warning") == "succeeded"
    assert status(100, sync_run_finished_at="2025-03-01T00:00:00") == "succeeded"
    assert status(100, sync_run_finished_at="soon") is None


# Runs: counts by op_type (failed includes invalid), status from the rows, times as reported.
def test_a_run() -> None:
    metadata: dict[str, object] = {
        "1": {"destination_type": "crm", "sync_run_status": "Done", "sync_run_error": "e"}
    }
    rows = [row("a", "insert", "succeeded", ended=5), row("b", "upsert", "rejected", ended=9)]
    rows += [row(None, "upsert", "NULL"), row("c", "append", "aborted"), row("d", "delete", "odd")]
    (run,) = tables(batch("1", *rows), metadata=metadata)["sync_runs"]
    counts = {name: count for name, count in run.items() if name.startswith("num_") and count}
    assert counts == {
        **{"num_planned_add": 4, "num_attempted_add": 3, "num_succeeded_add": 1},
        **{"num_failed_add": 2, "num_invalid_add": 1},
        **{"num_planned_remove": 1, "num_attempted_remove": 1, "num_failed_remove": 1},
    }
    assert (run["status"], run["reported_status"], run["error"]) == ("failed", "Done", "e")
    assert (run["destination"], run["started_at"], run["finished_at"]) == ("crm", None, at(9))


# Runs: failed if a row was aborted, or if all rows that are not invalid failed; else succeeded.
def test_run_status_from_rows() -> None:
    def status(*statuses: str) -> Any:
        rows = [row(str(i), "upsert", status) for i, status in enumerate(statuses)]
        found = tables(batch("1", *rows), batch("2"))
        return found["sync_runs"][0]["status"]

    assert status("rejected", "DUPLICATE", "odd") == "failed"
    assert status("rejected", "succeeded") == "succeeded"
    assert status("succeeded", "aborted") == "failed"
    assert status("DUPLICATE") == "succeeded"


# A run exists, with zeros, if any file shows it (R6). Organisations share nothing.
def test_runs_that_exist() -> None:
    found = tables(unreadable("1"), batch("2"), metadata={"3": "{"})
    assert [r["sync_run_id"] for r in found["sync_runs"]] == ["1", "2", "3"]
    ours, theirs = (
        batch("1", row("a", word, "succeeded"), organization=o)
        for o, word in (("o", "upsert"), ("p", "delete"))
    )
    members = tables(ours, theirs)["audience_memberships"]
    assert [(m["organization_id"], m["exit_observed"]) for m in members] == [
        *[("o", None), ("p", True)]
    ]


# The latest run counts for the snapshot if it has records or is settled. A deleted record that is
# out is left out.
def test_snapshot_of_the_latest_run() -> None:
    first = batch("1", row("a", "upsert", "succeeded", ended=1), row("b", "delete", "DUPLICATE"))
    late: dict[str, object] = {"sync_run_started_at": "2025-03-02T00:00:00Z"}
    assert snapshot(tables(first)) == {"a": ("added", "succeeded", True)}
    assert snapshot(tables(first, metadata={"2": late}))["a"][0] == "added"
    ended = {**late, "sync_run_status": "failed"}
    assert snapshot(tables(first, metadata={"2": ended}))["a"][0] == "unchanged"


# Several append rows (R14), the time of the last attempt (R9), the last name of a sync (R11).
def test_snapshot_of_appends_and_audience_names() -> None:
    rows = [row("a", "append", s, payload=s) for s in ("rejected", "succeeded", "DUPLICATE")]
    (found,) = tables(batch("1", *rows, row("b", "x", "NULL", started=3)))["sync_snapshot"][:1]
    assert (found["fields"], found["last_attempted_at"]) == ("succeeded", at(3))
    (invalid,) = tables(batch("1", rows[2], rows[2]))["sync_snapshot"]
    assert (invalid["status"], invalid["op_type"]) == ("failed", "added")
    names: dict[str, object] = {"0": {"model_name": "x"}, "2": {"model_name": "y"}, "3": {}}
    members = tables(OTHER, metadata=names)["audience_memberships"]
    assert [m["audience_name"] for m in members] == ["y"]
