"""Which fields of a record changed from one payload to the next (docs/answers.md, Fields)."""

from .answers_facts import Outcome, SyncFacts
from .json_texts import payload_fields
from .rows import Row
from .vocabulary import REACHED

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
