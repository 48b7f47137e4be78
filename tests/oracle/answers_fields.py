"""Which fields of a record changed from one payload to the next (docs/answers.md, Fields)."""

import re
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from .answers_facts import Outcome, SyncFacts
from .json_texts import payload_fields
from .rows import Row
from .vocabulary import REACHED

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|\Z)")
# A change back to what a field was more runs ago is a new decision.
MOST_RUNS_BACK = 5
# The field, the kind of change, the value before and after.
Change = tuple[str | None, str, str | None, str | None]


def field_changes(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `field_changes`."""
    rows = []
    last_compared: dict[str | None, Outcome] = {}
    for outcome in facts.outcomes:
        if not is_compared(outcome):
            continue
        previous = last_compared.get(outcome.row_id)
        last_compared[outcome.row_id] = outcome
        # A pruned run has no rows here, but its payload is still the previous one.
        if previous is None or outcome.run.key in facts.kept.pruned:
            continue
        for field_name, change_type, previous_value, new_value in changes(
            previous.entry.attempt.row.record_payload, outcome.entry.attempt.row.record_payload
        ):
            rows.append(
                {
                    **facts.key,
                    "sync_run_id": outcome.run.sync_run_id,
                    "row_id": outcome.row_id,
                    "field_name": field_name,
                    "change_type": change_type,
                    "previous_value": previous_value,
                    "new_value": new_value,
                    "previous_sync_run_id": previous.run.sync_run_id,
                    "changed_at": outcome.at,
                    "payload_kind": outcome.run.source.payload_kind,
                    "data_until_at": facts.data_until_at,
                }
            )
    return rows


def is_compared(outcome: Outcome) -> bool:
    """Whether the payload of a changelog row is compared."""
    attempt = outcome.entry.attempt
    return attempt.has_state and attempt.record_status in REACHED and attempt.operation != "delete"


def changes(previous: str | None, new: str | None) -> list[Change]:
    """Compare two payloads by field, or as a whole if one of them is not a JSON object."""
    before, after = payload_fields(previous), payload_fields(new)
    if before is None or after is None:
        return [] if previous == new else [(None, "changed", previous, new)]
    found: list[Change] = []
    for name in {**before, **after}:
        if name not in before:
            found.append((name, "added", None, after[name]))
        elif name not in after:
            found.append((name, "dropped", before[name], None))
        elif before[name] != after[name]:
            found.append((name, "changed", before[name], after[name]))
    return found


def field_statistics(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `field_statistics`, without a price."""
    places = {run.sync_run_id: place for place, run in enumerate(facts.sync.runs)}
    found: list[dict[str, Any]] = field_changes(facts)
    payloads = Counter((one["row_id"], one["sync_run_id"]) for one in found)
    rows: list[dict[str, Any]] = []
    for name in {one["field_name"] for one in found} - {None}:
        its_changes = [one for one in found if one["field_name"] == name]
        alone = [one for one in its_changes if payloads[one["row_id"], one["sync_run_id"]] == 1]
        newest = max(places[one["sync_run_id"]] for one in its_changes)
        of_newest = [one for one in its_changes if places[one["sync_run_id"]] == newest]
        sample = min(of_newest, key=lambda one: one["row_id"].encode())
        rows.append(
            {
                **facts.key,
                "field_name": name,
                "change_count": len(its_changes),
                "record_count": len({one["row_id"] for one in its_changes}),
                "changed_payload_share": len(its_changes) / len(payloads),
                "alone_count": len(alone),
                "small_alone_count": sum(
                    _is_small(one["previous_value"], one["new_value"]) for one in alone
                ),
                "return_count": _returns(its_changes, places),
                "alone_cost": None,
                "small_alone_cost": None,
                "sample_row_id": sample["row_id"],
                "sample_previous_value": sample["previous_value"],
                "sample_new_value": sample["new_value"],
                "data_until_at": facts.data_until_at,
            }
        )
    rows.sort(
        key=lambda one: (-one["alone_count"], -one["change_count"], one["field_name"].encode())
    )
    return [row | {"rank_in_sync": rank} for rank, row in enumerate(rows, start=1)]


def _returns(its_changes: list[dict[str, Any]], places: dict[str, int]) -> int:
    """Count the changes of a field back to the value before its last change, soon after that."""
    count = 0
    last: dict[str, dict[str, Any]] = {}
    for one in sorted(its_changes, key=lambda one: places[one["sync_run_id"]]):
        before = last.get(one["row_id"])
        last[one["row_id"]] = one
        if before is not None and before["previous_value"] == one["new_value"]:
            count += places[one["sync_run_id"]] - places[before["sync_run_id"]] <= MOST_RUNS_BACK
    return count


def _is_small(previous: str | None, new: str | None) -> bool:
    """Whether two numbers are one when rounded, or two times are on one day."""
    if previous is None or new is None:
        return False
    if NUMBER.match(previous) and NUMBER.match(new):
        return _rounded(previous) == _rounded(new)
    return bool(DAY.match(previous) and DAY.match(new) and previous[:10] == new[:10])


def _rounded(number: str) -> Decimal:
    # the text has what a double can hold
    exact = Decimal(repr(float(number)))
    return exact.quantize(Decimal(1), ROUND_HALF_UP) if abs(exact) < 2**52 else exact
