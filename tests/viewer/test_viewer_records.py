"""What the pages show of records, without Spark: the box that finds one, and fields of payloads."""

from typing import Any

import pytest
from markupsafe import escape

from sync_logs_viewer import fields
from sync_logs_viewer.masks import HIDDEN, hashed
from sync_logs_viewer.web.parameters import address
from viewer.fake_warehouse import TellingWarehouse
from viewer.reading import ANN, opened, sent


def test_the_box_of_each_page_finds_an_identifier() -> None:
    assert 'action="/find"' in opened("/nowhere", TellingWarehouse()).text
    assert 'action="/find"' in opened("/builds", TellingWarehouse()).text
    page = opened("/find", TellingWarehouse(), identifier="ann")
    for organization in ("o", "p"):
        link = address("/record", {"organization_id": organization, "identifier": "ann"})
        assert f'href="{escape(link)}"' in page.text
    one = TellingWarehouse(organizations_of_record=[{"organization_id": "p", "sync_count": 1}])
    led = opened("/find", one, identifier="o'b\\ & co")
    assert led.status_code == 303
    known: dict[str, object | None] = {"organization_id": "p", "identifier": "o'b\\ & co"}
    assert led.headers["location"] == address("/record", known)
    assert one.last("organizations_of_record")["identifier"] == "o'b\\ & co"
    assert opened("/find.json", one, identifier="x").json()["organizations"] == [
        {"organization_id": "p", "sync_count": 1}
    ]
    none = opened("/find", TellingWarehouse(organizations_of_record=[]), identifier="ann")
    assert none.status_code == 200
    assert "No record has this identifier" in none.text
    assert '<a href="/?text=ann">Search the syncs</a>' in none.text
    assert opened("/find", one).status_code == 400


def test_the_box_keeps_masks() -> None:
    warehouse = TellingWarehouse(organizations_of_record=[])
    led = opened("/find", warehouse, "identifiers:hashed", identifier="ann")
    assert led.status_code == 303
    assert led.headers["location"] == address("/find", {"identifier": hashed("ann")})
    none = opened("/find", warehouse, "identifiers:hashed", identifier=hashed("ann"))
    assert warehouse.last("organizations_of_record") == {
        **{"identifier": hashed("ann"), "is_hashed": True, "row_limit": 101}
    }
    # no sync has the name of a hash
    assert "Search the syncs" not in none.text
    refused = opened("/find", warehouse, "identifiers:hidden", identifier="ann")
    assert refused.status_code == 400
    assert 'action="/find"' not in opened("/builds", TellingWarehouse(), "identifiers:hidden").text


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        ('{"a": 1.10, "b": 12345678901234567890}', [("a", "1.10"), ("b", "12345678901234567890")]),
        # a text is in quotes if it looks like something else
        ('{"a": "12", "b": "null", "c": null}', [("a", '"12"'), ("b", '"null"'), ("c", "null")]),
        ('{"a": "", "b": " x", "c": "it is"}', [("a", '""'), ("b", '" x"'), ("c", "it is")]),
        ('{"a": {"b": [1]}}', [("a", '{\n  "b": [\n    1\n  ]\n}')]),
        ('{"a": 1, "a": 2}', [("a", "1"), ("a", "2")]),
        ("{}", []),
        *(("[1]", None), ("text", None), ("[" * 900, None), ('{"a": ' * 99 + "1" + "}" * 99, None)),
        (None, None),
    ],
)
def test_a_payload_is_a_list_of_fields(payload: str | None, shown: list[Any] | None) -> None:
    found = fields.fields_of(sent(payload))
    assert shown == (None if found is None else [(one.name, one.value) for one in found])


def test_a_payload_that_was_cut_is_not_taken_apart() -> None:
    assert fields.fields_of(sent('{"a": 1}', payload_length=9)) is None


def test_fields_that_changed_since_the_last_delivery_are_marked() -> None:
    rows = [
        sent('{"a": 3, "c": 1}', display_status="Rejected"),
        sent('{"a": 9, "b": 1}', display_status="Rejected"),
        sent('{"a": 4}', sync_id="t"),
        sent('{"a": 2, "b": 1}'),
        sent("gone", operation="Deleted"),
        sent('{"a": 1}'),
    ]
    found = fields.since_delivery(rows)
    marked = [
        [(one.name, one.change, one.previous) for one in row or () if one.change] for row in found
    ]
    assert marked == [
        [("a", "changed", "2"), ("c", "new", None), ("b", "gone", "1")],
        [("a", "changed", "2")],
        # another sync; nothing is compared with what was before a removal
        *([], [], [], []),
    ]
    warehouse = TellingWarehouse(history_of_record=rows)
    page = opened("/record", warehouse, **ANN).text
    assert '<th scope="row">a <span class="tag">changed</span></th>' in page
    assert "<td>3 <small>delivered before: 2</small></td>" in page
    assert '<span class="none">not sent</span>' in page
    # the last payload of each sync is open
    assert page.count('<table class="fields">') == 5 + 2
    assert "Last payload of s" in page
    records = opened("/record.json", warehouse, **ANN).json()["records"]
    assert [one["changed_fields"] for one in records[:3]] == [["a", "c", "b"], ["a"], []]


def test_masks_hold_in_fields() -> None:
    rows = [sent('{"email": "ann@x", "n": 2}'), sent('{"EMAIL": "bob@x", "n": 1}')]
    warehouse = TellingWarehouse(history_of_record=rows)
    page = opened("/record", warehouse, "payload:email", **ANN).text
    assert "@x" not in page
    assert HIDDEN in page
    assert "<td>2 <small>delivered before: 1</small></td>" in page


def test_a_payload_of_many_fields_is_cut_but_shows_its_changes() -> None:
    many = [fields.Field(f"f{number}", "1") for number in range(300)]
    changed = [*many[:-1], fields.Field("f299", "2")]
    shown = fields.shown_fields(fields.compared(changed, many))
    assert len(shown) == fields.MOST + 1
    assert shown[-1].previous == "1"
