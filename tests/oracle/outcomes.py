"""Final attempts and changelog rows of a run (docs/semantics.md, Outcome of a run)."""

from collections.abc import Iterable
from dataclasses import dataclass

from .history import Attempt, Run
from .values import grouped
from .vocabulary import INVALID, REACHED


@dataclass(frozen=True)
class ChangelogEntry:
    """The changelog entry of one attempt, independent of what was delivered before."""

    attempt: Attempt
    status: str
    failed_reason: str | None


def rank(attempt: Attempt) -> int:
    """Rank an attempt; from best to worst: reached, not attempted, unknown, invalid."""
    if attempt.record_status in REACHED:
        return 0
    if attempt.record_status == "not_attempted":
        return 1
    return 2 if attempt.record_status == "unknown" else 3


def is_invalid(attempt: Attempt) -> bool:
    """Whether a row is invalid, that is, it was refused before it was sent."""
    return attempt.record_status in INVALID


def final_attempt(attempts: list[Attempt]) -> Attempt:
    """Return the last attempt of the best rank among those of one record in one run."""
    best_rank = min(rank(attempt) for attempt in attempts)
    return [attempt for attempt in attempts if rank(attempt) == best_rank][-1]


def records_of(run: Run) -> list[list[Attempt]]:
    """Group the attempts of a run by record; each row without state is its own record."""
    with_state = [attempt for attempt in run.attempts if attempt.has_state]
    alone = [[attempt] for attempt in run.attempts if not attempt.has_state]
    return [*grouped(with_state, lambda one: one.identifier).values(), *alone]


def changelog_entries(run: Run) -> list[ChangelogEntry]:
    """List every invalid row, and the final attempt of each record that has a better one."""
    entries = []
    for attempts in records_of(run):
        entries += [changelog_entry(attempt) for attempt in attempts if is_invalid(attempt)]
        final = final_attempt(attempts)
        if not is_invalid(final):
            entries.append(changelog_entry(final))
    return entries


def counts_by_stage(entries: Iterable[ChangelogEntry]) -> dict[str, int]:
    """Count changelog entries in each stage, and those that are invalid."""
    entries = list(entries)
    statuses = [entry.status for entry in entries]
    return {
        "planned": len(statuses),
        "attempted": len(statuses) - statuses.count("aborted"),
        "succeeded": statuses.count("succeeded"),
        "failed": statuses.count("failed"),
        "invalid": sum(is_invalid(entry.attempt) for entry in entries),
    }


def changelog_entry(attempt: Attempt) -> ChangelogEntry:
    """Return the status and reason of an attempt."""
    return ChangelogEntry(attempt, changelog_status(attempt), failed_reason(attempt))


def changelog_status(attempt: Attempt) -> str:
    """Map an attempt to succeeded, failed or aborted; unknown words count as failed."""
    if attempt.operation == "unknown":
        return "failed"
    if attempt.record_status == "succeeded":
        return "succeeded"
    return "aborted" if attempt.record_status == "not_attempted" else "failed"


def failed_reason(attempt: Attempt) -> str | None:
    """Return why an attempt counts as failed (decisions R3 and R4)."""
    if changelog_status(attempt) != "failed":
        return None
    if attempt.record_status == "invalid_duplicate_key":
        return "Invalid record: duplicate identifier"
    if attempt.record_status == "invalid_null_key":
        if attempt.identifier is None:
            return "Invalid record: identifier is null"
        return "Invalid record: status NULL"
    if attempt.record_status == "unknown":
        return f"Unrecognised status: {_as_logged(attempt.row.status)}"
    if attempt.record_status == "failed" and attempt.row.status_message is not None:
        return attempt.row.status_message
    if attempt.operation == "unknown":
        return f"Unrecognised operation: {_as_logged(attempt.row.operation)}"
    return None


def op_type(attempt: Attempt, members_before: frozenset[str]) -> str:
    """Return the op_type of an attempt, given the records that were in before the run.

    An op_type that the source reports is kept, whatever was in.
    """
    if attempt.reported_op_type is not None:
        return attempt.reported_op_type
    if attempt.operation == "delete":
        return "removed"
    if attempt.operation == "append":
        return "added"
    return "changed" if attempt.identifier in members_before else "added"


def _as_logged(word: str | None) -> str:
    return "null" if word is None else word
