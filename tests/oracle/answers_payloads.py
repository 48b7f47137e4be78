"""The fields of the payloads of each sync (docs/answers.md, Payloads)."""

from . import json_texts
from .answers_facts import SyncFacts
from .json_texts import Fields
from .payload_profiles import RunProfile, readable_name, run_profiles
from .rows import Row
from .run_rows import run_at


def payload_fields(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `payload_fields`."""
    profiles = run_profiles(facts)
    declared = _declared_types(facts)
    names = {name for profile in profiles for name in profile.fields}
    return [
        _field_row(facts, name, profiles, declared.get(name))
        for name in sorted(names, key=str.encode)
    ]


def _field_row(
    facts: SyncFacts, name: str, profiles: list[RunProfile], declared_type: str | None
) -> Row:
    runs = [one for one in profiles if name in one.fields]
    fields = [one.fields[name] for one in runs]
    first, last, now = runs[0], runs[-1], fields[-1]
    texts = [one.longest_text for one in fields if one.longest_text is not None]
    numbers = [one.largest_number for one in fields if one.largest_number is not None]
    return {
        **facts.key,
        "field_name": name,
        "first_seen_at": run_at(first.run),
        "first_sync_run_id": first.run.sync_run_id,
        "last_seen_at": run_at(last.run),
        "last_sync_run_id": last.run.sync_run_id,
        "run_count": len(runs),
        "is_in_last_run": last is profiles[-1],
        "json_types": sorted(set().union(*(one.types for one in fields))),
        "payload_count": last.payload_count,
        "present_count": now.present_count,
        "present_share": now.present_count / last.payload_count,
        "null_share": now.null_count / now.present_count,
        "distinct_share": now.distinct_count / now.valued_count if now.valued_count else None,
        "longest_text": max(texts, default=None),
        "largest_number": max(numbers, default=None),
        "declared_type": declared_type,
        "is_as_declared": _is_as_declared(now.value_types, declared_type),
        "data_until_at": facts.data_until_at,
    }


def _is_as_declared(types: frozenset[str], declared_type: str | None) -> bool | None:
    if declared_type is None:
        return None
    # The loader declares an object as a string.
    return types <= ({"string", "object"} if declared_type == "string" else {declared_type})


def _declared_types(facts: SyncFacts) -> Fields:
    """Return the types that the last run with a readable schema declares, if it is not pruned."""
    for run in reversed(facts.sync.runs):
        if run.key in facts.kept.pruned:
            continue
        declared = json_texts.payload_fields(run.metadata.record_payload_schema)
        if declared:
            types: Fields = {}
            for name, its_type in declared.items():
                types.setdefault(readable_name(name), its_type)
            return types
    return {}
