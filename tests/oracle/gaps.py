"""How a model differs from what a sync has delivered (docs/answers.md, Delivery gaps)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from .answers_facts import SyncFacts
from .answers_fields import is_compared
from .failure_periods import Period, periods_of
from .history import Attempt
from .json_texts import payload_fields
from .outcomes import changelog_entry
from .rows import Row
from .snapshot import final_attempts
from .values import grouped, null_first

# A key, and the compared columns as texts.
ModelRow = tuple[str | None, Mapping[str, str | None]]


def delivery_gaps(
    facts: SyncFacts, model: Sequence[ModelRow], sent: Sequence[str | None] | None = None
) -> list[Row]:
    """Compare the rows of a model; `sent` are the keys of what the sync reads, if that is less."""
    records = _Records(facts)
    rows_by_key: dict[str, list[Mapping[str, str | None]]] = {}
    rows = []
    for key, columns in model:
        if key is None:
            rows.append(_row(None, "missing", "no key"))
        else:
            rows_by_key.setdefault(key, []).append(columns)
    for key, candidates in rows_by_key.items():
        columns = min(candidates, key=lambda one: [null_first(value) for value in one.values()])
        found = _gap_of_row(records, key, columns)
        if found:
            is_left_out = found[0] != "unknown" and sent is not None and key not in sent
            reason = "left out" if is_left_out else found[1]
            rows.append(records.told(key, found[0], reason, found[2]))
    for row_id in records.delivered - set(rows_by_key):
        rows.append(records.told(row_id, "extra", records.why_extra(row_id), None))
    return rows


def _gap_of_row(
    records: "_Records", key: str, columns: Mapping[str, str | None]
) -> tuple[str, str, list[str] | None] | None:
    if not records.is_in_destination(key):
        return "missing", records.why_missing(key), None
    if not columns or records.is_appended(key):
        return None
    delivered = records.payload(key)
    if delivered is None:
        return "unknown", "payload not in the log", None
    fields = payload_fields(delivered) or {}
    differing = [name for name, value in columns.items() if fields.get(name) != value]
    return (
        ("stale", records.why_not_as_planned(key) or "not sent", differing) if differing else None
    )


class _Records:
    """What is known about the records of a sync after its last run."""

    def __init__(self, facts: SyncFacts) -> None:
        self.last: dict[str, Attempt] = {}
        self._run_of_last: dict[str, int] = {}
        for position, run in enumerate(facts.sync.runs):
            for row_id, attempt in final_attempts(run).items():
                if row_id not in facts.kept.purged:
                    self.last[row_id] = attempt
                    self._run_of_last[row_id] = position
        self.delivered = {one.row_id for one in facts.open_memberships}
        self._facts = facts
        self._failing: dict[str, Period] = {
            one.row_id: one for one in periods_of(facts) if one.end is None
        }
        self._by_record = grouped(facts.outcomes, lambda one: one.row_id)

    def is_appended(self, row_id: str) -> bool:
        return row_id in self.last and self.last[row_id].operation == "append"

    def is_in_destination(self, row_id: str) -> bool:
        if self.is_appended(row_id):
            return any(one.status == "succeeded" for one in self._by_record[row_id])
        return row_id in self.delivered

    def payload(self, row_id: str) -> str | None:
        succeeded = [
            one
            for one in self._by_record.get(row_id, [])
            if is_compared(one) and one.status == "succeeded"
        ]
        if not succeeded:
            return None
        attempt = succeeded[-1].entry.attempt
        # of a pruned run, only the last outcome of a record is kept, in its snapshot
        is_pruned = succeeded[-1].run.key in self._facts.kept.pruned
        is_kept = not is_pruned or attempt is self.last[row_id]
        return attempt.row.record_payload if is_kept else None

    def _status(self, row_id: str) -> str:
        return changelog_entry(self.last[row_id]).status

    def _is_failing(self, row_id: str) -> bool:
        has_failed_last = self.is_appended(row_id) and self._status(row_id) == "failed"
        return row_id in self._failing or has_failed_last

    def why_not_as_planned(self, row_id: str) -> str | None:
        if row_id not in self.last:
            return None
        if self._is_failing(row_id):
            return "failing"
        return "not attempted" if self._status(row_id) == "aborted" else None

    def why_missing(self, row_id: str) -> str:
        if row_id not in self.last:
            return "never sent"
        is_removed = self.last[row_id].operation == "delete" and self._status(row_id) == "succeeded"
        return self.why_not_as_planned(row_id) or ("removed" if is_removed else "replaced")

    def why_extra(self, row_id: str) -> str:
        why = {"failed": "removal failed", "aborted": "removal not attempted"}
        is_delete = row_id in self.last and self.last[row_id].operation == "delete"
        return why.get(self._status(row_id), "not removed") if is_delete else "not removed"

    def told(self, row_id: str, gap: str, reason: str, differing: list[str] | None) -> Row:
        since_at = self._since(row_id, reason) if row_id in self.last else None
        return _row(row_id, gap, reason, since_at, self._failure_reason(row_id), differing)

    def _failure_reason(self, row_id: str) -> str | None:
        if row_id in self._failing:
            return self._failing[row_id].last.reason
        is_failing = row_id in self.last and self._is_failing(row_id)
        return changelog_entry(self.last[row_id]).failed_reason if is_failing else None

    def _since(self, row_id: str, reason: str) -> datetime | None:
        if reason in ("removed", "replaced"):
            ended = [
                one
                for one in self._facts.memberships
                if one.row_id == row_id and one.exit_observed is not None
            ]
            return ended[-1].exited_at if ended else None
        if row_id in self._failing and reason not in ("removal not attempted", "not removed"):
            return self._failing[row_id].started_at
        is_of_last = reason in ("not attempted", "removal not attempted")
        if is_of_last or (self._is_failing(row_id) and self.is_appended(row_id)):
            run = self._facts.sync.runs[self._run_of_last[row_id]]
            return run.time_of(self.last[row_id])
        return None


def _row(
    row_id: str | None,
    gap: str,
    reason: str,
    since_at: datetime | None = None,
    failure_reason: str | None = None,
    differing: list[str] | None = None,
) -> Row:
    return {
        "row_id": row_id,
        "gap": gap,
        "reason": reason,
        "since_at": since_at,
        "failure_reason": failure_reason,
        "differing_columns": differing,
    }
