"""How the fields of payloads change from run to run (docs/answers.md, Payloads)."""

from dataclasses import dataclass

from .answers_facts import SyncFacts
from .payload_profiles import RunProfile, run_profiles
from .rows import Row
from .run_rows import run_at

APPEARED, VANISHED, NEW_TYPE, ALL_NULL = "appeared", "vanished", "new type", "all null"
# A field is missed if so many payloads of the run would have it as often as before.
FEWEST_EXPECTED = 10
# A change is news after so many profiled runs, and if so many payloads show what is new or gone.
FEWEST_RUNS_BEFORE = 5
FEWEST_NEW = 10


@dataclass(frozen=True)
class Change:
    """A change of a field between two profiled runs that follow each other."""

    previous: RunProfile
    current: RunProfile
    field_name: str
    change_type: str
    previous_count: int
    new_count: int
    # The types that are new; None if the change is not about types.
    types: frozenset[str] | None = None

    @property
    def is_of_enough(self) -> bool:
        """Whether enough payloads show what is new, or had what is gone."""
        is_new = self.change_type in (APPEARED, NEW_TYPE)
        return (self.new_count if is_new else self.previous_count) >= FEWEST_NEW


def payload_schema_changes(facts: SyncFacts) -> list[Row]:
    """Shape the rows of `payload_schema_changes`."""
    return [
        {
            **facts.key,
            "sync_run_id": one.current.run.sync_run_id,
            "run_at": run_at(one.current.run),
            "field_name": one.field_name,
            "change_type": one.change_type,
            "json_types": None if one.types is None else sorted(one.types),
            "previous_sync_run_id": one.previous.run.sync_run_id,
            "previous_count": one.previous_count,
            "previous_payload_count": one.previous.payload_count,
            "new_count": one.new_count,
            "payload_count": one.current.payload_count,
            "data_until_at": facts.data_until_at,
        }
        for changes in _changes_by_run(run_profiles(facts))
        for one in changes
    ]


def news_counts(facts: SyncFacts) -> dict[int, int]:
    """Count the changes that are news in each profiled run, by its position in the sync."""
    profiles = run_profiles(facts)
    counts = {}
    for runs_before, (profile, changes) in enumerate(
        zip(profiles, _changes_by_run(profiles), strict=True)
    ):
        has_history = runs_before >= FEWEST_RUNS_BEFORE
        counts[profile.position] = sum(has_history and one.is_of_enough for one in changes)
    return counts


def _changes_by_run(profiles: list[RunProfile]) -> list[list[Change]]:
    """Compare each profiled run with the one before it; the first one has no changes."""
    found = []
    # The types of each field in the runs so far, without null.
    known: dict[str, set[str]] = {}
    previous: RunProfile | None = None
    for profile in profiles:
        found.append([] if previous is None else _changes(known, previous, profile))
        for name, field in profile.fields.items():
            known.setdefault(name, set()).update(field.value_types)
        previous = profile
    return found


def _changes(known: dict[str, set[str]], previous: RunProfile, current: RunProfile) -> list[Change]:
    changes = []
    for name in {**previous.fields, **current.fields}:
        before, now = previous.fields.get(name), current.fields.get(name)
        if now is None:
            assert before is not None  # the name is from one of them
            if _is_missed(before.present_count, previous, current):
                changes.append(Change(previous, current, name, VANISHED, before.present_count, 0))
            continue
        if name not in known:
            count = now.present_count
            changes.append(Change(previous, current, name, APPEARED, 0, count, now.types))
            continue
        valued_before = 0 if before is None else before.valued_count
        new_types = now.value_types - known[name]
        if known[name] and new_types:
            count = sum(now.type_counts[one] for one in new_types)
            changes.append(
                Change(previous, current, name, NEW_TYPE, valued_before, count, new_types)
            )
        elif not now.valued_count and _is_missed(valued_before, previous, current):
            changes.append(Change(previous, current, name, ALL_NULL, valued_before, 0))
    return changes


def _is_missed(count: int, previous: RunProfile, current: RunProfile) -> bool:
    """Whether enough payloads of a run would be like so many of the run before.

    Whole numbers are compared, so the result is exact.
    """
    return count * current.payload_count >= FEWEST_EXPECTED * previous.payload_count
