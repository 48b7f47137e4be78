"""Fact tables of Writeback and the user's relation of names: expected values by hand."""

from typing import Any

from oracle.building_names import OBJECTS, given, names_of_run, rudderstack, writeback
from oracle.names import AnyRow
from oracle.rows import COLUMNS, Row
from oracle.source_history import SourceHistory, expected_tables

WRITEBACK = {"organization_id": "o", "source_name": "wb", "vendor": "census"}
OTHER = {"organization_id": "rs", "source_name": "rs", "vendor": "rudderstack"}


def facts(
    ours: SourceHistory, step: int = 0, names: list[AnyRow] | None = None, table: str = OBJECTS
) -> dict[Any, tuple[object, object]]:
    """Name and type of each row of a fact table, by id."""
    rows = expected_tables([ours], step, names=names or [])[table]
    found = {row["id"]: (row["name"], row["type"]) for row in rows}
    assert len(found) == len(rows)
    return found


# All columns; those that are missing are null, and unknown ones are left out.
def test_rows_of_fact_tables() -> None:
    full = {"id": 7, "type": "t", "name": "n", "model_id": 8, "business_object_id": "b"}
    full |= {"filter_segment_id": "f", "cohort_id": 9, "unknown": 1}
    ours = writeback(
        {
            OBJECTS: [full],
            "destinations": [{"id": "d", "name": "n"}],
            "destination_objects": [{"id": "x"}],
        }
    )
    found = expected_tables([ours], 0)
    read = {"id": "7", "type": "t", "name": "n", "model_id": "8", "business_object_id": "b"}
    assert found[OBJECTS] == [WRITEBACK | read | {"filter_segment_id": "f", "cohort_id": "9"}]
    assert found["destinations"] == [WRITEBACK | {"id": "d", "type": None, "name": "n"}]
    assert found["destination_objects"] == [WRITEBACK | {"id": "x", "type": None, "name": None}]
    for table in (OBJECTS, "destinations", "destination_objects"):
        assert set(found[table][0]) == set(COLUMNS[table])


# Each of these counts before the next one, whatever the order in the table.
def test_one_row_per_id() -> None:
    ranked: list[Row] = [
        {"name": "b"},
        {"name": "a", "type": "b"},
        {"name": "a", "type": "a", "model_id": "9"},
        {"name": "a", "type": "a", "model_id": 10, "business_object_id": "b"},
        {"name": "a", "type": "a", "model_id": 10, "business_object_id": "a", "cohort_id": "z"},
        {"name": "a", "type": "a", "filter_segment_id": "f", "cohort_id": "a"},
        {"name": "a", "type": "a", "cohort_id": "z"},
        {"name": "a", "type": ""},
        {"name": "a"},
        {"name": "Z", "type": "z"},
        {"name": "", "type": "z"},
        {"type": "z"},
        {"cohort_id": "z"},
        {},
    ]
    ranked = [{"id": "1"} | row for row in ranked]
    for number, first in enumerate(ranked):
        rest = ranked[number:]
        expected = expected_tables([writeback({OBJECTS: [first]})], 0)
        for rows in (rest, rest[::-1]):
            assert expected_tables([writeback({OBJECTS: rows})], 0) == expected


# Texts compare by their bytes, so this is not the order of UTF-16.
def test_order_of_names_is_that_of_bytes() -> None:
    rows: list[Row] = [{"id": "1", "name": "\U0001f600"}, {"id": "1", "name": "\uff5e"}]
    assert facts(writeback({OBJECTS: rows})) == {"1": ("\U0001f600", None)}


# A number and a text can be one id; the spelling of a text is kept.
def test_ids() -> None:
    rows: list[Row] = [
        {"id": 1, "name": "a"},
        {"id": "1", "name": "b"},
        {"id": "01", "name": "c"},
        {"id": None, "name": "d"},
        {"id": "", "name": "e"},
        {"name": "f"},
    ]
    assert facts(writeback({OBJECTS: rows})) == {
        "1": ("b", None),
        "01": ("c", None),
        "": ("e", None),
    }


# What vanishes stays as it was read last; what is there is the new row, even if it says less.
def test_facts_over_time() -> None:
    ours = writeback(
        {OBJECTS: [{"id": 1, "name": "z", "type": "t"}, {"id": 2, "name": "old"}]},
        {OBJECTS: [{"id": "1", "name": "a"}]},
        {},
        {OBJECTS: [{"id": 3, "name": "c"}, {"id": 2, "name": None}]},
    )
    assert facts(ours, 0) == {"1": ("z", "t"), "2": ("old", None)}
    assert facts(ours, 1) == facts(ours, 2) == {"1": ("a", None), "2": ("old", None)}
    assert facts(ours, 3) == {"1": ("a", None), "2": (None, None), "3": ("c", None)}
    assert [names_of_run(ours, step)[0] for step in range(4)] == ["z", "a", "a", "a"]


# Other kinds, other spellings of a kind and rows without id count for nothing.
def test_which_names_count() -> None:
    rows: list[AnyRow] = [
        given("source_object", 1, "object", "model"),
        *(given(kind, "2", "n") for kind in ("Source_Object", " source_object", "model", "", None)),
        given("source_object", None, "n"),
        given("destination", "2", "d", "crm"),
        given("destination_object", "3", "do", "contact"),
        given("sync", "s", "sync"),
    ]
    ours = writeback({})
    found = expected_tables([ours], 0, names=rows)
    null = dict.fromkeys(("model_id", "business_object_id", "filter_segment_id", "cohort_id"))
    row = {"id": "1", "name": "object", "type": "model"}
    assert found[OBJECTS] == [WRITEBACK | row | null]
    assert facts(ours, 0, rows, "destinations") == {"2": ("d", "crm")}
    assert facts(ours, 0, rows, "destination_objects") == {"3": ("do", "contact")}


# The vendor's table decides for each id that it has ever had, even if it has no name for it.
def test_names_for_ids_of_the_vendor() -> None:
    ours = writeback({OBJECTS: [{"id": 1}]}, {OBJECTS: []}, {"destinations": [{"id": 9}]})
    rows: list[AnyRow] = [given("source_object", one, f"n{one}", "t") for one in ("1", "9")]
    for step in range(3):
        assert facts(ours, step, rows) == {"1": (None, None), "9": ("n9", "t")}
    # what is gone from the relation is gone
    assert facts(ours, 2, []) == {"1": (None, None)}


# Rows without an organisation are for every source that is a table, of any type.
def test_organizations() -> None:
    ours, theirs = writeback({}), rudderstack()
    rows: list[AnyRow] = [
        given("destination", "2", "all") | {"organization_id": None},
        given("destination", "3", "missing"),
        given("destination", "4", "ours") | {"organization_id": "o"},
        given("destination", "5", "theirs") | {"organization_id": "rs"},
        given("destination", "6", "nobody's") | {"organization_id": "wb"},
        # both are candidates for the same id
        given("destination", "2", "a") | {"organization_id": "o"},
        given("destination", "3", "z") | {"organization_id": "o"},
    ]
    found = expected_tables([ours, theirs], 0, names=rows)["destinations"]
    assert {row["id"]: row["name"] for row in found if row["source_name"] == "wb"} == {
        "2": "all",
        "3": "z",
        "4": "ours",
    }
    rest = [row for row in found if row["source_name"] == "rs"]
    assert {row["id"]: row["name"] for row in rest} == {"2": "all", "3": "missing", "5": "theirs"}
    assert {key: rest[0][key] for key in OTHER} == OTHER
    assert facts(theirs, 0, rows[:1], "destinations") == {"2": ("all", None)}


# Of rows with one kind and id, the greatest name counts, then the greatest type.
def test_one_name_per_id() -> None:
    ranked = [("b", None), ("a", "z"), ("a", "b"), ("a", None), ("", "z"), (None, "z")]
    for number, expected in enumerate(ranked):
        rows: list[AnyRow] = [given("source_object", "1", *one) for one in ranked[number:]]
        assert facts(writeback({}), 0, rows) == facts(writeback({}), 0, rows[::-1])
        assert facts(writeback({}), 0, rows) == {"1": expected}
