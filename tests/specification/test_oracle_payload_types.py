"""The declared types of fields, worked out by hand (docs/answers.md, Payloads)."""

import json
from typing import Any

import pytest

from oracle.answers_facts import facts_of
from oracle.answers_payloads import payload_fields
from oracle.building import at
from oracle.building_hightouch import logged, seen, syncs_in
from oracle.lake import BatchFile
from specification.small_lake_answers import picked
from specification.small_payloads import fields, run_of

SCHEMA = "record_payload_schema"
CAMEL = "recordPayloadSchema"


def declared(*files: BatchFile, metadata: dict[str, object], name: str = "a") -> tuple[Any, Any]:
    """What is declared of a field, and whether it is so; metadata is given by run."""
    found = fields(*files, metadata=metadata)[name]
    return found["declared_type"], found["is_as_declared"]


# How a schema is read from the metadata of a run; without one, nothing is declared.
@pytest.mark.parametrize(
    ("metadata", "its_type"),
    [
        ({SCHEMA: {"b": "number", "a": "string"}}, "string"),
        ({CAMEL: {"a": "string"}}, "string"),
        ({SCHEMA: {"a": "string"}, CAMEL: {"a": "number"}}, "string"),
        ({SCHEMA: None, CAMEL: {"a": "string"}}, "string"),
        # the object as a text
        ({SCHEMA: '{"a": "string"}'}, "string"),
        # of a field that repeats, the first type
        (f'{{"{SCHEMA}": {{"a": "string", "a": "number"}}}}', "string"),
        ({SCHEMA: {"a": ""}}, ""),
        # no text, but read as one
        ({SCHEMA: {"a": 7}}, "7"),
        ({SCHEMA: {"a": True}}, "true"),
        ({SCHEMA: {"a": ["string", "null"]}}, '["string","null"]'),
        ({SCHEMA: {"a": {"type": "string"}}}, '{"type":"string"}'),
        ({SCHEMA: {"a": None}}, None),
        ({SCHEMA: {"b": "string"}}, None),
        ({SCHEMA: {"A": "string"}}, None),
        ({}, None),
        ({SCHEMA: {}}, None),
        ({SCHEMA: None}, None),
        ({SCHEMA: []}, None),
        ({SCHEMA: [{"a": "string"}]}, None),
        ({SCHEMA: 7}, None),
        ({SCHEMA: False}, None),
        ({SCHEMA: ""}, None),
        ({SCHEMA: '{"a": "stri'}, None),
        (f'{{"{SCHEMA}": {{"a": "stri', None),
        ("[]", None),
        # only null is like no key
        ({SCHEMA: {}, CAMEL: {"a": "string"}}, None),
        ({SCHEMA: 7, CAMEL: {"a": "string"}}, None),
    ],
)
def test_declared_type(metadata: object, its_type: str | None) -> None:
    is_so = None if its_type is None else its_type == "string"
    assert declared(run_of(1, {"a": "x"}), metadata={"1": metadata}) == (its_type, is_so)


# The last run that declares something, whether it has payloads or not.
@pytest.mark.parametrize(
    ("last", "its_type"),
    [
        ({SCHEMA: {"a": "number"}}, "number"),
        ({SCHEMA: {"b": "number"}}, None),
        ({SCHEMA: {"a": None}}, None),
        ({SCHEMA: {}}, "string"),
        ({SCHEMA: "text"}, "string"),
        ("damaged", "string"),
        (None, "string"),
    ],
)
def test_the_last_run_that_declares_types(last: object, its_type: str | None) -> None:
    files = (run_of(1, {"a": "x"}), run_of(2, {"a": "y"}))
    first: dict[str, object] = {"1": {SCHEMA: {"a": "string"}}}
    without_payloads = {"sync_run_started_at": at(3).isoformat(), "sync_run_status": "success"}
    is_so = None if its_type is None else its_type == "string"
    given = {} if last is None else {"2": last}
    assert declared(*files, metadata=first | given) == (its_type, is_so)
    if isinstance(last, dict):
        given = {"3": last | without_payloads}
        assert declared(*files, metadata=first | given) == (its_type, is_so)


@pytest.mark.parametrize(
    ("value", "its_type"),
    [
        ('"x"', "string"),
        ("1", "number"),
        ("1.5", "number"),
        ("true", "boolean"),
        ("[]", "array"),
        ("{}", "object"),
    ],
)
def test_each_type(value: str, its_type: str) -> None:
    file = run_of(1, f'{{"a": {value}}}', '{"a": null}', "{}")
    types = ("string", "number", "boolean", "array", "object", "null", "String")
    for one in types:
        # the loader declares an object as a string
        is_declared = one == its_type or (one, its_type) == ("string", "object")
        assert declared(file, metadata={"1": {SCHEMA: {"a": one}}}) == (one, is_declared)


# All values of the last run that has the field count, and none of the runs before it.
def test_values_that_are_as_declared() -> None:
    schema: dict[str, object] = {"1": {SCHEMA: {"a": "string"}}}
    assert declared(run_of(1, {"a": "x"}, {"a": 1}), metadata=schema) == ("string", False)
    assert declared(run_of(1, {"a": None}), metadata=schema) == ("string", True)
    files = [run_of(1, {"a": 1}), run_of(2, {"a": "x"})]
    assert declared(*files, metadata=schema) == ("string", True)
    # a run without the field
    assert declared(*files, run_of(3, {"b": 1}), metadata=schema) == ("string", True)
    assert declared(*files, run_of(3, {"a": True}), metadata=schema) == ("string", False)


def test_half_of_a_surrogate_pair_in_a_declared_name() -> None:
    text = json.dumps({SCHEMA: {"\ud800": "number", "?": "string"}})
    found = declared(run_of(1, '{"\\udc00": 1}'), metadata={"1": text}, name="?")
    assert found == ("number", True)


# A source of tables has no metadata of runs.
def test_a_source_of_tables() -> None:
    rows = (logged("1", "a", fields='{"x": 1}'), logged("2", "b", "removed", fields="{}"))
    (sync,) = syncs_in(seen(*rows))
    (found,) = payload_fields(facts_of(sync))
    assert picked([found], "field_name vendor is_in_last_run") == [("x", "hightouch", True)]
    assert (found["declared_type"], found["is_as_declared"]) == (None, None)
