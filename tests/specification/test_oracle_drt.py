"""Runs and dead letters of drt: expected values worked out by hand."""

import json

from oracle import drt
from oracle.answers import answers_of
from oracle.answers_facts import facts_of
from oracle.building import at
from oracle.history import in_order
from oracle.rows import Row
from oracle.semantics import tables_of
from specification.small_lake_answers import Tables, picked

RUN = {"status": "partial", "records_synced": 8, "records_failed": 1, "errors": []}


def ran(run: str, minute: int, **more: object) -> Row:
    """A line of the history; the run takes five minutes."""
    times = {"started_at": at(minute).isoformat(), "completed_at": at(minute + 5).isoformat()}
    return line(RUN | times | {"sync_run_id": run} | more)


def letter(run: str, minute: int, record: dict[str, object], **more: object) -> Row:
    """A dead letter."""
    known = {"http_status": 422, "error_message": "no", "attempts": 1, "id": f"letter of {run}"}
    return line(
        {"record": record, "timestamp": at(minute).isoformat(), "sync_run_id": run} | known | more
    )


def line(entry: Row) -> Row:
    return {"sync_id": "s", "value": json.dumps(entry)}


def tables(*steps: tuple[list[Row], list[Row]]) -> Tables:
    contents = [{"history": history, "dlq": letters} for history, letters in steps]
    runs = drt.runs_after("o", "shop", contents)
    return tables_of(in_order(runs, at(10_000)))


# The key is the first field, whatever its type. The reason begins with the status.
def test_dead_letters() -> None:
    found = tables(
        (
            [],
            [
                letter("1", 1, {"id": 7, "e": "é", "n": None}),
                letter("2", 2, {"mail": None, "id": 7}, error_message="", attempts=3),
                letter("3", 3, {}, http_status=None),
                letter("4", 4, {"id": "a"}, http_status=None, error_message=None),
            ],
        )
    )
    columns = "sync_run_id identifier record_payload status_message batch_ended_at"
    assert picked(found["sync_records"], columns) == [
        ("1", "7", '{"id":7,"e":"é","n":null}', "HTTP 422: no", at(1)),
        ("2", None, '{"mail":null,"id":7}', "HTTP 422", at(2)),
        ("3", None, "{}", "no", at(3)),
        ("4", "a", '{"id":"a"}', None, at(4)),
    ]
    assert {row["operation"] for row in found["sync_records"]} == {"upsert"}
    assert picked(found["sync_runs"], "started_at finished_at num_planned_add") == [
        (None, at(minute), 1) for minute in (1, 2, 3, 4)
    ]


# Each attempt is a row; what left the queue stays.
def test_retries() -> None:
    first = [letter("1", 1, {"id": 1}, id="a"), letter("1", 2, {"id": 2}, id="b")]
    again = letter("1", 1, {"id": 1}, id="a", attempts=3, error_message="still")
    found = tables(([], first), ([], [again]))
    assert picked(found["sync_records"], "identifier status_message") == [
        *[("1", "HTTP 422: still")] * 3,
        ("2", "HTTP 422: no"),
    ]
    (covered,) = found["log_coverage"]
    assert (covered["stored_row_count"], covered["deleted_row_count"]) == (4, 1)
    assert covered["logged_failed_count"] == 2
    most = letter("1", 1, {"id": 1}, attempts=1000)
    assert len(tables(([], [most]))["sync_records"]) == 100


# Only what failed is compared: nothing else is logged.
def test_coverage() -> None:
    one = letter("2", 20, {"id": 1})
    history = [
        ran("1", 1),
        ran("2", 10),
        ran("3", 20),
        ran("4", 30, records_failed=0, status="success"),
        ran("5", 40, records_failed=0, records_synced=0, errors=["a", "b"], status="failed"),
        ran("6", 50, records_failed=2, records_synced=0, status="failed"),
    ]
    found = tables((history, [one]))
    columns = "reported_succeeded_count reported_failed_count logged_failed_count issue"
    assert picked(found["log_coverage"], columns) == [
        (8, 1, 0, "expired"),
        (8, 1, 1, "successes not logged"),
        (8, 1, 0, "switched off"),
        (8, 0, 0, "successes not logged"),
        (0, 0, 0, None),
        (0, 2, 0, "aborted"),
    ]
    columns = "is_log_complete status reported_status error"
    assert picked(found["sync_runs"], columns) == [
        (False, "succeeded", "partial", None),
        (None, "succeeded", "partial", None),
        (False, "succeeded", "partial", None),
        (None, "succeeded", "success", None),
        (True, "failed", "failed", "a\nb"),
        (None, "failed", "failed", None),
    ]
    counted = "num_planned_add num_attempted_add num_succeeded_add num_failed_add"
    assert picked(found["sync_runs"][:1], counted) == [(9, 9, 8, 1)]


# Of a run whose line drt has deleted, only the failures are known, and nothing says that it failed.
def test_failures_whose_run_is_deleted() -> None:
    letters = [letter("1", n, {"id": n}, id=str(n)) for n in range(12)]
    contents = {"history": [ran("2", 20)], "dlq": [*letters, letter("2", 20, {"id": 99})]}
    syncs = in_order(drt.runs_after("o", "shop", [contents]), at(10_000))
    assert picked(tables_of(syncs)["sync_runs"], "sync_run_id status num_failed_add") == [
        ("1", "succeeded", 12),
        ("2", "succeeded", 1),
    ]
    found = answers_of([facts_of(sync) for sync in syncs], at(10_000))
    columns = "failed_run_count failed_count rejection_rate"
    assert picked(found["sync_statistics"], columns) == [(0, 13, 1 / 9)]
    assert found["sync_alerts"] == []


# A file that is being written ends anywhere, and older versions wrote no id of the run.
def test_lines_that_are_not_read() -> None:
    cut: Row = {"sync_id": "s", "value": str(ran("2", 10)["value"])[:-1]}
    found = tables(([ran("1", 1), cut, ran("3", 20, sync_run_id=None)], []))
    assert picked(found["sync_runs"], "sync_run_id") == [("1",)]
