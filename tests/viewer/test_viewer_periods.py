"""Two periods of a sync: which days they have, the page, the terminal, for machines, masked.

There is no Spark: a fake warehouse returns some rows. test_viewer_questions.py asks Spark.
"""

import html
import io
import json
import re
from datetime import date
from typing import Any

import pyarrow.parquet as pq
import pytest
from markupsafe import escape

from sync_logs_viewer.exports import WRITERS
from sync_logs_viewer.masks import HIDDEN, hashed
from sync_logs_viewer.periods import DATES, Period, PeriodError, two_periods
from sync_logs_viewer.web.formats import NONE
from sync_logs_viewer.web.parameters import address
from sync_logs_viewer.web.routes import periods as periods_page
from viewer.fake_warehouse import (
    BEFORE,
    DAY,
    PERIOD,
    PERIOD_CHANGES,
    PERIOD_PATTERN,
    TellingWarehouse,
    Without,
)
from viewer.reading import ABOUT, HOSTILE, cells, opened, typed
from viewer.test_mcp import rows as called
from viewer.test_mcp import told

# the last day of the fake warehouse is the first of March
LAST = date(2026, 3, 1)
NO_DATES = dict.fromkeys(DATES)
ASKED = ("from_date", "until_date", "before_from_date", "before_until_date")


def chosen(given: dict[str, str], last_day: date | None = LAST) -> tuple[str, ...] | None:
    """The days of the later period and of the earlier one."""
    dates = {name: date.fromisoformat(one) for name, one in given.items()}
    both = two_periods({**NO_DATES, **dates}, last_day, str)
    if both is None:
        return None
    return tuple(str(day) for one in both for day in (one.first, one.last))


def asked(warehouse: TellingWarehouse, name: str = "periods") -> tuple[Any, ...]:
    """The days that a query was asked for."""
    return tuple(warehouse.last(name)[one] for one in ASKED)


WEEKS = ("2026-02-23", "2026-03-01", "2026-02-16", "2026-02-22")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, WEEKS),
        ({"until": "2026-02-28"}, ("2026-02-22", "2026-02-28", "2026-02-15", "2026-02-21")),
        # as long, and right before
        ({"from": "2026-02-27"}, ("2026-02-27", "2026-03-01", "2026-02-24", "2026-02-26")),
        (
            {"from": "2026-02-01", "until": "2026-02-01"},
            ("2026-02-01", "2026-02-01", "2026-01-31", "2026-01-31"),
        ),
        # the same week a year before
        ({"before_until": "2025-02-23"}, (*WEEKS[:2], "2025-02-17", "2025-02-23")),
        ({"before_from": "2026-02-20"}, (*WEEKS[:2], "2026-02-20", "2026-02-22")),
        # over a leap day
        ({"until": "2024-03-03"}, ("2024-02-26", "2024-03-03", "2024-02-19", "2024-02-25")),
        (
            {"from": "0001-01-02", "until": "0001-01-02"},
            ("0001-01-02", "0001-01-02", "0001-01-01", "0001-01-01"),
        ),
    ],
)
def test_days_that_are_not_given(given: dict[str, str], expected: tuple[str, ...]) -> None:
    assert chosen(given) == expected


def test_a_sync_without_days_has_no_periods_unless_they_are_given() -> None:
    assert chosen({}, None) is None
    assert chosen({"from": "2026-02-01", "before_until": "2026-01-01"}, None) is None
    assert chosen({"until": "2026-03-01"}, None) == WEEKS


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"from": "2026-03-02"}, "from is 2026-03-02; expected no day after until, 2026-03-01."),
        (
            {"before_from": "2026-02-01", "before_until": "2026-01-01"},
            "before_from is 2026-02-01; expected no day after before_until, 2026-01-01.",
        ),
        # they would have a day in common
        (
            {"before_until": "2026-02-23"},
            "before_until is 2026-02-23; expected a day before 2026-02-23, with which",
        ),
        ({"until": "0001-01-03"}, "There are no days before 0001-01-01; expected later dates."),
        ({"from": "0001-01-01", "until": "0001-01-03"}, "There are no days before 0001-01-01"),
    ],
)
def test_days_that_make_no_periods(given: dict[str, str], words: str) -> None:
    with pytest.raises(PeriodError, match=f"^{re.escape(words)}"):
        chosen(given)
    refused = opened("/periods", TellingWarehouse(), **ABOUT, **given)
    assert refused.status_code == 400
    # the page quotes the names of its parameters
    assert words.split("; ")[-1][:20] in html.unescape(refused.text)


def test_two_weeks_are_compared_unless_days_are_given() -> None:
    warehouse = TellingWarehouse()
    page = opened("/periods", warehouse, **ABOUT)
    assert page.status_code == 200
    for name in ("periods", "patterns_of_periods", "changes_of_periods"):
        assert asked(warehouse, name) == WEEKS
    days = ("2026-02-16 to 2026-02-22", "2026-02-23 to 2026-03-01")
    found = cells(page.text)
    assert ["Counts", *days, "Difference"] in found
    assert ["Runs", "6", "7", "+1"] in found
    assert ["Planned", "90", "100", "+10"] in found
    assert ["Succeeded", "60 75 %", "60 75 %", "0"] in found
    assert ["Failed", "20 25 %", "20 25 %", "0"] in found
    assert ["Members entered", "12", "9", "-3"] in found
    assert ["Pattern", *days, "Difference", "Open now", "Category", "Examples"] in found
    assert ["<id> is refused grew", "1", "3", "+2", "2", "refused", "ann"] in [
        [html.unescape(one) for one in row] for row in found
    ]
    # the form says which days are shown, and sends the ids with them
    for name, day in zip(DATES, (*WEEKS[:2], *WEEKS[2:]), strict=True):
        assert f'<input type="date" name="{name}" value="{day}">' in page.text
    for name, value in ABOUT.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page.text


def test_the_days_of_the_form_are_compared() -> None:
    warehouse = TellingWarehouse()
    given = dict(zip(DATES, ("2026-01-05", "2026-01-06", "2025-01-01", "2025-01-31"), strict=True))
    assert opened("/periods", warehouse, **ABOUT, **given).status_code == 200
    assert asked(warehouse) == tuple(given.values())
    # a form also sends the fields that are left empty
    emptied = dict.fromkeys(DATES, "")
    assert opened("/periods", warehouse, **ABOUT, **emptied).status_code == 200
    assert asked(warehouse) == WEEKS
    for name in DATES:
        for wrong in ("yesterday", "20260301", "2026-W05-6", "2026-3-1", "2026-02-30", "' or '1"):
            refused = opened("/periods", warehouse, **ABOUT, **{name: wrong})
            assert refused.status_code == 400
            assert "expected a day such as 2026-01-31." in refused.text
    unknown = opened("/periods", TellingWarehouse(sync=[]), **ABOUT)
    assert unknown.status_code == 404


def test_the_page_offers_lengths() -> None:
    def offered(**given: str) -> list[tuple[str, str]]:
        page = opened("/periods", TellingWarehouse(), **ABOUT, **given).text
        part = page[page.index('aria-label="Periods"') : page.index("</ul>")]
        assert part.count("Last 7 days and the 7 before") == 1
        assert part.count("Last 28 days and the 28 before") == 1
        return re.findall(r'<a href="([^"]*)"( aria-current="true")?>', part)

    week = str(escape(address("/periods", {**ABOUT})))
    month = str(escape(address("/periods", {**ABOUT, "from": "2026-02-02"})))
    current = ' aria-current="true"'
    assert offered() == [(week, current), (month, "")]
    assert offered(**{"from": "2026-02-02"}) == [(week, ""), (month, current)]
    assert offered(until="2026-02-28") == [(week, ""), (month, "")]
    assert offered(before_until="2026-02-20") == [(week, ""), (month, "")]
    assert offered(before_from="2026-02-20") == [(week, ""), (month, "")]


def test_incomplete_runs_are_named() -> None:
    def notices(**earlier: Any) -> list[str]:
        warehouse = TellingWarehouse(periods=[{**BEFORE, **earlier}, PERIOD])
        page = opened("/periods", warehouse, **ABOUT).text
        return re.findall(r'<p class="notice">(.*?)</p>', page)

    (notice,) = notices()
    link = address("/run", {**ABOUT, "sync_run_id": "5"})
    assert "2026-02-16" in notice
    assert "the log of 1 run is not complete, so the counts may be too low" in notice
    assert f'<a href="{escape(link)}">5</a>' in notice
    ids = json.dumps([str(number) for number in range(20)])
    (notice,) = notices(incomplete_run_count=23, incomplete_sync_run_ids=ids)
    assert "the log of 23 runs is" in notice
    assert notice.count("<a ") == 20
    assert notice.endswith("</a> and 3 more.")
    assert notices(incomplete_run_count=0, incomplete_sync_run_ids="[]") == []
    page = opened("/periods", TellingWarehouse(), **ABOUT).text
    assert ["Incomplete logs", "1", "0", "-1"] in cells(page)


NOTHING = {
    name: None if name.endswith(("_count", "_share")) else one for name, one in BEFORE.items()
}
NOTHING |= {"day_count": 0, "incomplete_sync_run_ids": "[]"}


def test_days_that_the_log_does_not_have_are_no_quiet_days() -> None:
    part = TellingWarehouse(periods=[{**BEFORE, "day_count": 3}, PERIOD])
    page = opened("/periods", part, **ABOUT).text
    assert "Only 3 of the 7 days of" in page
    none = opened("/periods", TellingWarehouse(periods=[NOTHING, PERIOD]), **ABOUT).text
    assert "No day of" in none
    assert "Compare its last days" in none
    assert ["Runs", NONE, "7", NONE] in cells(none)
    assert "Only" not in none
    data = opened("/periods.json", TellingWarehouse(periods=[NOTHING, PERIOD]), **ABOUT).json()
    assert {one["before_count"] for one in data["counts"]} == {None}


def test_a_sync_that_is_no_audience_has_no_members() -> None:
    unmoved = {"entry_count": 0, "exit_count": 0}
    periods = [{**BEFORE, **unmoved}, {**PERIOD, **unmoved}]
    assert "Members entered" in opened("/periods", TellingWarehouse(periods=periods), **ABOUT).text
    nobody = [{"model_name": None, "member_count": 0, "data_until_at": None}]
    page = opened("/periods", TellingWarehouse(periods=periods, sync=nobody), **ABOUT).text
    assert "Members" not in page
    left = [BEFORE | unmoved, PERIOD | unmoved | {"exit_count": 1}]
    page = opened("/periods", TellingWarehouse(periods=left, sync=nobody), **ABOUT).text
    assert ["Members left", "0", "1", "+1"] in cells(page)


def test_errors_without_records_have_no_numbers() -> None:
    keyless = {**PERIOD_PATTERN, "failure_pattern": "no key", "change_type": "new"}
    keyless |= {"before_record_count": None, "record_count": None, "category": None}
    same = {**PERIOD_PATTERN, "failure_pattern": None, "change_type": "same", "record_count": 1}
    gone = {**PERIOD_PATTERN, "failure_pattern": "gone", "change_type": "gone", "record_count": 0}
    unknown = {**keyless, "failure_pattern": "once", "change_type": None}
    warehouse = TellingWarehouse(patterns_of_periods=[keyless, gone, same, unknown])
    found = cells(opened("/periods", warehouse, **ABOUT).text)
    assert [row[:4] for row in found if len(row) == 7][1:] == [
        ["no key new", NONE, NONE, NONE],
        ["gone gone", "1", "0", "-1"],
        ["no reason given", "1", "1", "0"],
        ["once", NONE, NONE, NONE],
    ]


@pytest.mark.parametrize(
    ("empty", "words"),
    [
        ({"activity": []}, "There are no days to compare"),
        ({"periods": [NOTHING, {**NOTHING, "period": "later"}]}, "No run of this sync is in"),
        ({"periods": [{**BEFORE, "run_count": 0}, {**PERIOD, "run_count": 0}]}, "#runs"),
        ({"patterns_of_periods": []}, "No record was failing in either period."),
    ],
)
def test_a_page_without_rows_says_what_to_do(empty: dict[str, Any], words: str) -> None:
    page = opened("/periods", TellingWarehouse(**empty), **ABOUT)
    assert page.status_code == 200
    assert words in page.text
    data = opened("/periods.json", TellingWarehouse(**empty), **ABOUT).json()
    assert {"sync", "period", "before", "counts", "patterns", "has_more_patterns"} <= {*data}
    assert {"payload_changes", "has_more_payload_changes"} <= {*data}


def test_the_page_says_what_it_leaves_out() -> None:
    many = TellingWarehouse(patterns_of_periods=[PERIOD_PATTERN] * (periods_page.ROWS + 1))
    assert f"These are the first {periods_page.ROWS}; there are more." in (
        opened("/periods", many, **ABOUT).text
    )
    data = opened("/periods.json", many, **ABOUT).json()
    assert (len(data["patterns"]), data["has_more_patterns"]) == (periods_page.ROWS, True)
    many = TellingWarehouse(changes_of_periods=PERIOD_CHANGES[:1] * (periods_page.CHANGES + 1))
    assert "These are the last 100; <code>payload_schema_changes" in (
        opened("/periods", many, **ABOUT).text
    )
    data = opened("/periods.json", many, **ABOUT).json()
    assert (len(data["payload_changes"]), data["has_more_payload_changes"]) == (100, True)


def test_fields_that_changed_are_beside_the_period_of_their_run() -> None:
    tags = {**PERIOD_CHANGES[0], "field_name": "Plan", "change_type": "new type"}
    tags |= {"json_types": '["array","null"]'}
    warehouse = TellingWarehouse(changes_of_periods=[*PERIOD_CHANGES, tags])
    page = opened("/periods", warehouse, **ABOUT).text
    rows = cells(page[page.index("<h2>Fields of payloads that changed") :])
    assert rows == [
        ["Field", "2026-02-16 to 2026-02-22", "2026-02-23 to 2026-03-01"],
        [
            "Plan",
            NONE,
            "new type: array, null run 7, 2026-03-01: 12 of 40 → 0 of 38 payloads",
        ],
        [
            "plan",
            "new field: string run 5, 2026-03-01: 12 of 40 → 0 of 38 payloads",
            "no longer sent run 7, 2026-03-01: 12 of 40 → 0 of 38 payloads",
        ],
    ]
    assert str(escape(address("/run", {**ABOUT, "sync_run_id": "5"}))) in page
    assert f'{escape(address("/sync", {**ABOUT}))}#payload">' in page
    assert warehouse.last("changes_of_periods")["row_limit"] == periods_page.CHANGES + 1
    changes = opened("/periods.json", warehouse, **ABOUT).json()["payload_changes"]
    assert [(one["period"], one["json_types"]) for one in changes] == [
        *(("later", []), ("earlier", ["string"]), ("later", ["array", "null"]))
    ]
    without = opened("/periods", TellingWarehouse(changes_of_periods=[]), **ABOUT).text
    assert "Fields of payloads" not in without


def test_a_warehouse_without_the_table_of_changes_has_the_rest_of_the_page(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = opened("/periods", Without("changes_of_periods"), **ABOUT)
    assert page.status_code == 200
    assert "Fields of payloads" not in page.text
    assert "Errors compared" in page.text
    assert "payload_schema_changes cannot be read: There is no table" in caplog.text
    data = opened("/periods.json", Without("changes_of_periods"), **ABOUT).json()
    assert (data["payload_changes"], data["has_more_payload_changes"]) == ([], False)
    assert opened("/periods", Without("periods"), **ABOUT).status_code == 503


def test_the_data_of_the_page() -> None:
    data = opened("/periods.json", TellingWarehouse(), **ABOUT).json()
    assert data["before"]["incomplete_sync_run_ids"] == ["5"]
    assert (data["period"]["from_date"], data["period"]["until_date"]) == WEEKS[:2]
    by_measure = {one["measure"]: one for one in data["counts"]}
    assert by_measure["invalid"] == {
        **{"measure": "invalid", "count": 5, "before_count": 5},
        **{"share": 0.0625, "before_share": 0.0625},
    }
    assert by_measure["runs"]["share"] is None


def test_other_pages_lead_to_it() -> None:
    link = f'<a href="{escape(address("/periods", {**ABOUT}))}">'
    assert link in opened("/sync", TellingWarehouse(), **ABOUT).text
    assert link not in opened("/sync", TellingWarehouse(activity=[]), **ABOUT).text


def test_masks_hold() -> None:
    pattern = {**PERIOD_PATTERN, "failure_pattern": "<id> is refused, ann is not"}
    warehouse = TellingWarehouse(patterns_of_periods=[pattern])
    page = opened("/periods", warehouse, "identifiers:hashed", **ABOUT).text
    assert hashed("ann") in page
    assert f"{HIDDEN} is not" in page
    assert "ann is" not in page
    assert ">ann<" not in page


def test_hostile_values_are_text() -> None:
    ids = json.dumps([HOSTILE, "<img src=x>"])
    hostile = {"failure_pattern": HOSTILE, "category": HOSTILE, "change_type": HOSTILE}
    field = {"field_name": HOSTILE, "change_type": HOSTILE, "json_types": json.dumps([HOSTILE])}
    changes = [{**PERIOD_CHANGES[0], **field, "sync_run_id": HOSTILE}]
    changes += [{**changes[0], "change_type": "appeared"}]
    warehouse = TellingWarehouse(
        sync=[{"model_name": HOSTILE, "member_count": 0, "data_until_at": None}],
        periods=[{**BEFORE, "incomplete_sync_run_ids": ids, "incomplete_run_count": 2}, PERIOD],
        patterns_of_periods=[{**PERIOD_PATTERN, **hostile, "sample_identifiers": ids}],
        changes_of_periods=changes,
    )
    page = opened("/periods", warehouse, **{"organization_id": HOSTILE, "sync_id": HOSTILE})
    assert page.status_code == 200
    seen = re.sub(r'(value|href)="[^"]*"', "", page.text)
    for mark in ("<script", "<img", "\u202e"):
        assert mark not in seen


def test_the_terminal_compares_two_weeks(monkeypatch: pytest.MonkeyPatch) -> None:
    warehouse = TellingWarehouse()
    command = ("periods", "--organization-id", "o", "--sync-id", "s")
    head, _, earlier, later = typed(monkeypatch, warehouse, *command).splitlines()
    assert head.split()[:3] == ["from_date", "until_date", "run_count"]
    assert earlier.split()[:3] == ["2026-02-16", "2026-02-22", "6"]
    assert later.split()[:3] == ["2026-02-23", "2026-03-01", "7"]
    assert asked(warehouse) == WEEKS
    days = ("--from", "2026-02-01", "--until", "2026-02-03", "--before-until", "2025-02-03")
    warehouse.asked.clear()
    lines = typed(monkeypatch, warehouse, *command, *days, "--format", "jsonl").splitlines()
    assert json.loads(lines[1])["until_date"] == "2026-03-01"
    assert asked(warehouse) == ("2026-02-01", "2026-02-03", "2025-02-01", "2025-02-03")
    # with a last day, the calendar of the sync is not needed
    assert [one.name for one in warehouse.asked] == ["periods"]
    said = typed(monkeypatch, warehouse, *command, "--errors", "--rows", "7")
    assert warehouse.last("patterns_of_periods")["row_limit"] == 7
    assert said.split()[:3] == ["failure_pattern", "category", "change_type"]
    csv = typed(monkeypatch, warehouse, *command, "--format", "csv").splitlines()
    assert csv[1].startswith("earlier,2026-02-16,2026-02-22,")


def test_days_of_a_file_are_days() -> None:
    (row,) = pq.read_table(
        io.BytesIO(b"".join(WRITERS["parquet"](["from_date"], [PERIOD])))
    ).to_pylist()
    assert row == {"from_date": date(2026, 2, 23)}


def test_the_tool_compares_two_weeks() -> None:
    warehouse = TellingWarehouse()
    earlier, later = called("periods", {"sync_id": "s"}, warehouse)
    assert (earlier["period"], earlier["incomplete_sync_run_ids"]) == ("earlier", ["5"])
    assert (later["from_date"], later["failed_share"]) == ("2026-02-23", 0.25)
    (pattern,) = called("periods", {"sync_id": "s", "errors": True}, warehouse)
    assert (pattern["change_type"], pattern["sample_identifiers"]) == ("grew", ["ann"])
    for wrong in (7, "today", "2026-02-30"):
        said = told("periods", {"sync_id": "s", "from": wrong}, warehouse)
        assert said == f"from is {wrong!r}; expected a day such as 2026-01-31."
    said = told("periods", {"sync_id": "s", "from": "2027-01-01"}, warehouse)
    assert said == "from is 2027-01-01; expected no day after until, 2026-03-01."
    said = told("periods", {**ABOUT, "sync_id": "x"}, TellingWarehouse(activity=[]))
    assert said.startswith("The sync 'x' has no days: it does not exist, ")


def test_the_last_day_is_that_of_the_calendar() -> None:
    """It has days without a run, as long as the organisation has data."""
    days = [{**DAY, "activity_date": date(2026, 2, day)} for day in (1, 2, 3)]
    warehouse = TellingWarehouse(activity=days)
    opened("/periods", warehouse, **ABOUT)
    assert asked(warehouse)[1] == "2026-02-03"
    assert Period(date(2026, 2, 1), date(2026, 2, 3)).day_count == 3
