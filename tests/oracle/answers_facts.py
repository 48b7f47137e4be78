"""The input of the answers: one sync with everything known about it (docs/answers.md)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from .delivered import Delivered, Membership, deliver
from .failure_patterns import failure_pattern
from .history import Run, RunKey, Sync
from .outcomes import ChangelogEntry, changelog_entries, counts_by_stage, op_type
from .rows import COUNTED_OP_TYPES, Row, sync_key
from .snapshot import snapshot_rows
from .values import grouped, last_known, latest


@dataclass(frozen=True)
class Kept:
    """Which part of a sync's history is left and shown; by default, all of it."""

    pruned: frozenset[RunKey] = frozenset()
    purged: frozenset[str] = frozenset()
    too_late_count: int = 0
    keep_changelog: bool = True
    keep_runs: bool = True


@dataclass(frozen=True)
class Outcome:
    """A changelog row, its run, and the position of the run in the sync."""

    run: Run
    position: int
    entry: ChangelogEntry
    op_type: str

    @property
    def row_id(self) -> str | None:
        """The record's key."""
        return self.entry.attempt.identifier

    @property
    def status(self) -> str:
        """Succeeded, failed or aborted."""
        return self.entry.status

    @property
    def reason(self) -> str | None:
        """The reason of the failure."""
        return self.entry.failed_reason

    @cached_property
    def pattern(self) -> str | None:
        """The reason without what differs from record to record."""
        payload = self.entry.attempt.row.record_payload
        return failure_pattern(self.reason, payload, self.row_id)

    @property
    def at(self) -> datetime | None:
        """The time of the row."""
        return self.run.time_of(self.entry.attempt)


@dataclass(frozen=True)
class SyncFacts:
    """One sync: the rows that its run counts come from, and what is known about its records."""

    sync: Sync
    kept: Kept
    delivered: Delivered
    # Every changelog row, because the counts of a pruned run keep purged records.
    run_outcomes: tuple[Outcome, ...]
    # The fields from here on have no purged records.
    outcomes: tuple[Outcome, ...]
    memberships: tuple[Membership, ...]
    snapshot: tuple[Row, ...]

    @property
    def key(self) -> Row:
        """The key columns of the sync, and those of its source."""
        return sync_key(self.sync)

    def outcomes_of(self, run: Run) -> list[Outcome]:
        """Every changelog row of a run."""
        return self._outcomes_by_run.get(run.sync_run_id, [])

    @cached_property
    def _outcomes_by_run(self) -> dict[str, list[Outcome]]:
        return grouped(self.run_outcomes, lambda one: one.run.sync_run_id)

    @property
    def times(self) -> list[datetime | None]:
        """The times of its runs in the log."""
        return [
            time
            for run in self.sync.runs
            for time in (run.order_at, run.last_batch_ended_at, run.metadata.sync_run_finished_at)
        ]

    @cached_property
    def data_until_at(self) -> datetime | None:
        """The latest time in the log of the sync."""
        return latest(self.times)

    @cached_property
    def model_name(self) -> str | None:
        """The last model name of the sync (decision R11)."""
        return last_known([run.metadata.model_name for run in self.sync.runs])

    @cached_property
    def entered_run_ids(self) -> list[str | None]:
        """The run of each entry; the counts of a pruned run keep purged records."""
        return [
            one.entered_sync_run_id
            for one in self.delivered.memberships
            if self._counts_in(one.row_id, one.entered_sync_run_id)
        ]

    @cached_property
    def exited_run_ids(self) -> list[str | None]:
        """The run of each exit; the counts of a pruned run keep purged records."""
        return [one.exited_sync_run_id for one in self.exits]

    @cached_property
    def exits(self) -> list[Membership]:
        """The memberships that ended; the counts of a pruned run keep purged records."""
        return [
            one
            for one in self.delivered.memberships
            if one.exit_observed is not None and self._counts_in(one.row_id, one.exited_sync_run_id)
        ]

    def _counts_in(self, row_id: str, sync_run_id: str | None) -> bool:
        pruned_ids = {run.sync_run_id for run in self.sync.runs if run.key in self.kept.pruned}
        return row_id not in self.kept.purged or sync_run_id in pruned_ids

    @cached_property
    def open_memberships(self) -> list[Membership]:
        """The memberships that have not ended."""
        return [one for one in self.memberships if one.exit_observed is None]


def facts_of(sync: Sync, kept: Kept | None = None) -> SyncFacts:
    """Collect everything known about a sync."""
    kept = kept or Kept()
    delivered = deliver(sync)
    outcomes = [
        Outcome(
            run, position, entry, op_type(entry.attempt, delivered.members_before_run[position])
        )
        for position, run in enumerate(sync.runs)
        for entry in changelog_entries(run)
    ]
    return SyncFacts(
        sync=sync,
        kept=kept,
        delivered=delivered,
        run_outcomes=tuple(outcomes),
        outcomes=tuple(one for one in outcomes if one.row_id not in kept.purged),
        memberships=tuple(one for one in delivered.memberships if one.row_id not in kept.purged),
        snapshot=tuple(
            row for row in snapshot_rows(sync, delivered) if row["row_id"] not in kept.purged
        ),
    )


def counts(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Count changelog rows by outcome; only succeeded rows count by `op_type`."""
    outcomes = list(outcomes)
    by_stage = counts_by_stage(one.entry for one in outcomes)
    succeeded = [one.op_type for one in outcomes if one.status == "succeeded"]
    return {
        **{f"{stage}_count": count for stage, count in by_stage.items()},
        "aborted_count": by_stage["planned"] - by_stage["attempted"],
        **{f"{one}_count": succeeded.count(one) for one in COUNTED_OP_TYPES.values()},
    }


def counts_of_run(run: Run, outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Count the changelog rows of a run; as reported, if its source logs only rejected records."""
    counted = counts(outcomes)
    reported = run.reported_counts
    if run.source.logs_succeeded_records or not reported:
        return counted
    for stage in ("planned", "attempted", "succeeded", "failed"):
        counted[f"{stage}_count"] = sum(reported[f"num_{stage}_{one}"] for one in COUNTED_OP_TYPES)
    for suffix, its_op_type in COUNTED_OP_TYPES.items():
        counted[f"{its_op_type}_count"] = reported[f"num_succeeded_{suffix}"]
    return counted
