"""Fields that cause operations, worked out by hand (docs/answers.md, Fields)."""

import json
from typing import Any

from oracle.answers import ANSWER_COLUMNS
from oracle.building import batch, row
from specification.small_lake_answers import answers, picked

COUNTED = (
    "rank_in_sync field_name change_count record_count alone_count small_alone_count return_count"
)


def statistics(*payloads: tuple[str, dict[str, Any]]) -> list[Any]:
    """Give the rows of a sync that sent one payload of a record in each run."""
    runs = [
        batch(str(run), row(key, "upsert", "succeeded", payload=json.dumps(payload), ended=run))
        for run, (key, payload) in enumerate(payloads, start=1)
    ]
    return answers(*runs)["field_statistics"]


def counted(*payloads: tuple[str, dict[str, Any]]) -> list[tuple[Any, ...]]:
    found = statistics(*payloads)
    rows = [tuple(one[column] for column in COUNTED.split()) for one in found]
    return sorted(rows)


def test_every_column() -> None:
    found = statistics(("a", {"plan": "free"}), ("a", {"plan": "pro"}))
    assert set(found[0]) == set(ANSWER_COLUMNS["field_statistics"])
    (only,) = found
    columns = "sample_row_id sample_previous_value sample_new_value"
    assert picked(found, columns) == [("a", "free", "pro")]
    assert only["changed_payload_share"] == 1
    assert only["alone_cost"] is None


def test_a_field_that_changes_in_each_run_comes_first() -> None:
    sent = [
        ("a", {"SYNC_LAST_UPDATED": f"2026-01-01T0{hour}:00:00Z", "plan": plan})
        for hour, plan in enumerate(["free", "pro", "pro", "free", "free"])
    ]
    assert counted(*sent) == [
        # it changes four times, twice alone, always on one day
        (1, "SYNC_LAST_UPDATED", 4, 1, 2, 2, 0),
        # free, pro, free within five runs
        (2, "plan", 2, 1, 0, 0, 1),
    ]


def test_rounding() -> None:
    values = [1.4, 1.2, 1.5, 2.4, "2.1", "2.1 kg", "2026-01-01", "2026-01-01 x", "2026-01-01x"]
    sent = [("a", {"value": value}) for value in values]
    # 1.4 to 1.2, 1.5 to 2.4, 2.4 to "2.1", and one day
    assert counted(*sent) == [(1, "value", 8, 1, 8, 4, 0)]


def test_a_value_returns_only_within_five_runs() -> None:
    def after(gap: int) -> list[tuple[Any, ...]]:
        away = [("a", {"x": 1}), ("a", {"x": 2})]
        return counted(*away, *[("a", {"x": 2})] * (gap - 1), ("a", {"x": 1}))

    assert after(5) == [(1, "x", 2, 1, 2, 0, 1)]
    assert after(6) == [(1, "x", 2, 1, 2, 0, 0)]


def test_records_are_independent_and_whole_payloads_are_no_field() -> None:
    sent = [("a", {"x": 1}), ("b", {"x": 2}), ("a", {"x": 2}), ("b", {"x": 1})]
    assert counted(*sent) == [(1, "x", 2, 2, 2, 0, 0)]
    rows = [row("a", "upsert", "succeeded", payload=text) for text in ("x", "y")]
    found = answers(*(batch(str(run), one) for run, one in enumerate(rows)))
    assert len(found["field_changes"]) == 1
    assert found["field_statistics"] == []
