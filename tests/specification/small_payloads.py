"""Shortcuts to write runs of payloads, and to pick from what the answers say about them."""

import json
from typing import Any

from oracle.building import batch, row
from oracle.lake import BatchFile
from specification.small_lake_answers import answers, picked

Row = dict[str, Any]
CHANGE = "sync_run_id field_name change_type json_types previous_sync_run_id previous_count"
CHANGE += " previous_payload_count new_count payload_count"


def run_of(number: int, *payloads: object, **place: str) -> BatchFile:
    """Write a run with these payloads; its id is the minute of its end.

    A payload that is a text is written as it is, and null as null.
    """
    texts = [one if one is None or isinstance(one, str) else json.dumps(one) for one in payloads]
    rows = [
        row(f"{n:04}", "upsert", "succeeded", payload=text, ended=number)
        for n, text in enumerate(texts)
    ]
    return batch(f"{number}", *rows, **place)


def values_of(*values: str) -> BatchFile:
    """Write a run in which the field `x` has these values, one in each payload, as JSON."""
    return run_of(1, *(f'{{"x": {one}}}' for one in values))


def fields(*files: BatchFile, **more: Any) -> dict[str, Row]:
    """Compute the rows of `payload_fields`, by field."""
    found = answers(*files, **more)["payload_fields"]
    by_name = {one["field_name"]: one for one in found}
    assert len(by_name) == len(found)
    return by_name


def field(*files: BatchFile, **more: Any) -> Row:
    """Compute the only row of `payload_fields`."""
    (found,) = fields(*files, **more).values()
    return found


def changes(*files: BatchFile, columns: str = CHANGE, **more: Any) -> list[tuple[Any, ...]]:
    """Compute the rows of `payload_schema_changes`."""
    return sorted(picked(answers(*files, **more)["payload_schema_changes"], columns), key=repr)
