"""The fields of the payloads of a run, worked out by hand (docs/answers.md, Payloads)."""

from typing import Any

import pytest

from dbt_sync_logs import payload_profile
from dbt_sync_logs.payload_profile import COLUMNS, KEY, rows_of

# what is 0 or null unless a test says otherwise
NOTHING = {name: None if name in ("longest_text", "largest_number") else 0 for name in COLUMNS}


def fields(*payloads: str) -> dict[str, dict[str, Any]]:
    """The rows of a run by field."""
    run, *found = rows_of(payloads)
    assert run == {"field_name": None, "payload_count": len(payloads)}
    return {one["field_name"]: one for one in found}


def row(name: str, payload_count: int, **counts: Any) -> dict[str, Any]:
    expected = {**NOTHING, "field_name": name, "payload_count": payload_count, **counts}
    return {column: value for column, value in expected.items() if column not in KEY}


def test_each_type() -> None:
    found = fields(
        '{"a": "\\u2603\\ud83d\\ude00", "b": -2.5, "c": [1], "d": {}, "e": true, "f": null}',
        '{"a": "b", "b": 1e999, "c": [ 1 ], "d": {"x": 1}, "e": false, "f": null}',
    )
    assert found == {
        "a": row("a", 2, present_count=2, string_count=2, distinct_count=2, longest_text=2),
        "b": row("b", 2, present_count=2, number_count=2, distinct_count=2, largest_number=-2.5),
        "c": row("c", 2, present_count=2, array_count=2, distinct_count=1),
        "d": row("d", 2, present_count=2, object_count=2, distinct_count=2),
        "e": row("e", 2, present_count=2, boolean_count=2, distinct_count=2),
        "f": row("f", 2, present_count=2, null_count=2),
    }


def test_a_field_that_repeats_or_is_missing() -> None:
    assert fields('{"a": 1, "a": "x"}', "{}", '{"a": null}', '{"a": 7}') == {
        "a": row("a", 4, present_count=3, null_count=1, number_count=2, distinct_count=2)
        | {"largest_number": 7.0}
    }


@pytest.mark.parametrize(
    ("values", "count"),
    [
        (("1", "1.0", '"1"', "true", "[1]", '["1"]', '{"1":1}'), 7),
        (("1.0", "1.00", "10e-1"), 1),
        (("0", "-0"), 1),
        (('{"a":1,"b":2}', '{"b":2,"a":1}'), 2),
        (("9" * 5000, "9" * 4999 + "8"), 2),
        (('"\\ud800"', '"?"'), 1),
    ],
)
def test_which_values_differ(values: tuple[str, ...], count: int) -> None:
    found = fields(*(f'{{"a": {value}}}' for value in values))
    assert found["a"]["distinct_count"] == count


def test_what_is_no_json_object_does_not_count() -> None:
    for text in ("", "x", "1", "[]", "null", '{"a": NaN}', '{"a": 1} 2', "{'a': 1}", '{"a": 1'):
        assert list(rows_of([text])) == []
    # a name that UTF-8 cannot write
    assert set(fields('{"\\ud800": 1, "\\udfff": "x"}')) == {"?"}
    assert fields('{"a": ' + "[" * 300 + "]" * 300 + "}")["a"]["array_count"] == 1


def test_fields_of_few_payloads_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload_profile, "MOST_FIELDS", 3)
    payloads = ['{"z": 1, "\U00010000": 1, "\uffff": 1, "y": 1}', '{"z": 1, "y": 1}']
    assert list(fields(*payloads)) == ["y", "z", "\uffff"]
