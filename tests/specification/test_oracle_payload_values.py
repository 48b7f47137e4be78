"""The values of fields of payloads, worked out by hand (docs/answers.md, Payloads)."""

import pytest

from specification.small_payloads import field, run_of, values_of


def test_every_type() -> None:
    found = field(values_of('"a"', "1", "1.5", "true", "false", "[null]", '{"y": 1}', "null"))
    assert found["json_types"] == ["array", "boolean", "null", "number", "object", "string"]
    assert (found["present_count"], found["null_share"], found["distinct_share"]) == (8, 0.125, 1)
    nothing = field(values_of("null", "null"))
    assert (nothing["json_types"], nothing["null_share"]) == (["null"], 1.0)
    assert nothing["distinct_share"] is None
    # types of all runs, also of those before the last one
    both = field(run_of(1, {"x": 1}), run_of(2, {"x": None}))
    assert (both["json_types"], both["present_count"]) == (["null", "number"], 1)


# How many values are told apart.
@pytest.mark.parametrize(
    ("values", "count"),
    [
        (("1", "1.0", '"1"'), 3),
        (("true", '"true"', "1", "false", "0"), 5),
        (("7", "7", "null"), 1),
        # a fraction or an exponent makes a double
        (("1.0", "1.00", "1e0", "10E-1"), 1),
        (("9007199254740993.0", "9007199254740992.0"), 1),
        (("9007199254740993", "9007199254740992"), 2),
        (("1" + "0" * 4999, "1" + "0" * 4998 + "1"), 2),
        # white space does not count, the order does
        (("[1, 2]", "[1,2]", "[2, 1]"), 2),
        (('{"a": 1, "b": 2}', '{"a":1,"b":2}', '{"b": 2, "a": 1}', '{"a":1,"a":1,"b":2}'), 3),
        (("[]", "{}", '""', "0", "false"), 5),
        (("[1]", "[1.0]", "[true]", '["1"]', "[[1]]"), 5),
        (('"\\u00fc"', '"\u00fc"', '"u\u0308"'), 2),
        (('"\\ud83d"', '"?"', '"\\ude00"'), 1),
    ],
)
def test_values_that_are_told_apart(values: tuple[str, ...], count: int) -> None:
    with_value = sum(one != "null" for one in values)
    assert field(values_of(*values))["distinct_share"] == count / with_value


@pytest.mark.parametrize(
    ("values", "largest"),
    [
        (("-5",), -5.0),
        (("-5", "-7.25"), -5.0),
        (("0", "-1"), 0.0),
        (("3", "20", "100.5"), 100.5),
        (('"9"', "true", "[7]", "null"), None),
        (("1e999",), None),
        (("-1e999", "1e999", "3"), 3.0),
        (("9" * 5000,), None),
        (("9" * 5000, "-" + "9" * 5000, "12"), 12.0),
        (("1" + "0" * 308,), 1e308),
        (("1" + "0" * 309,), None),
        (("1.7976931348623157e308",), 1.7976931348623157e308),
        # the nearest double
        (("9007199254740993",), 9007199254740992.0),
        (("0." + "1" * 5000,), 1 / 9),
    ],
)
def test_largest_number(values: tuple[str, ...], largest: float | None) -> None:
    found = field(values_of(*values))
    assert found["largest_number"] == largest
    assert found["present_count"] == len(values)


@pytest.mark.parametrize(
    ("values", "longest"),
    [
        (('""',), 0),
        (('"abc"', '"ab"'), 3),
        # characters, not bytes or halves of pairs
        (('"\U0001f600e\u0301"',), 3),
        (('"\\ud83d\\ude00"',), 1),
        (('"\\ud83d"',), 1),
        (("12345", '["long"]', '{"long": "text"}', "null"), None),
    ],
)
def test_longest_text(values: tuple[str, ...], longest: int | None) -> None:
    assert field(values_of(*values))["longest_text"] == longest


def test_the_longest_and_largest_of_all_runs() -> None:
    files = (run_of(1, {"x": "long"}), run_of(2, {"x": 9}), run_of(3, {"x": "s"}, {"x": 3}))
    found = field(*files, run_of(4, {"x": None}))
    assert (found["longest_text"], found["largest_number"]) == (4, 9.0)
