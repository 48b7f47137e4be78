"""The tables of a warehouse with pruned history and purged records.

Every table is computed from whole lakes, by definition. For a pruned run, the lake always has what
the last build before the prune knew. A run that is too late is not in the lake. A purged record
never had a row. Nothing here is computed from an earlier table.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from . import rows
from .alert_rules import AlertRules
from .answers import Kept, Rules, answers_of
from .answers_facts import SyncFacts, facts_of
from .coverage import coverage_rows, too_late_row
from .history import EARLIEST, Run, RunKey, Sync, SyncKey, in_order, read_runs, run_order
from .lake import Lake, as_utc, merge
from .retention_words import (
    Prune,
    Purge,
    Settings,
    SyncSettings,
    kept_tables,
    run_key_of,
    settings_of,
    sync_key_of,
)
from .rows import Row, fact_rows
from .run_rows import run_row
from .semantics import tables_of

__all__ = [
    "COLUMNS",
    "IDENTIFIER_COLUMNS",
    "Prune",
    "Purge",
    "Retained",
    "Settings",
    "SyncSettings",
    "run_key_of",
]

# The identifier column of each table that has one.
IDENTIFIER_COLUMNS = {
    "sync_records": "identifier",
    "sync_log": "record_identifier",
    "sync_changelog": "row_id",
    "sync_snapshot": "row_id",
    "audience_memberships": "row_id",
}
# Tables whose rows each belong to one run and are removed with it.
HISTORY_TABLES = ("sync_records", "sync_log", "sync_changelog")
COLUMNS = rows.COLUMNS | {
    "sync_runs": (
        *rows.COLUMNS["sync_runs"],
        *("run_position", "is_settled", "is_pruned", "is_too_late"),
    )
}


def _as_reported(run: Run) -> Run:
    return run


@dataclass(frozen=True)
class Retained:
    """A warehouse after some builds and operations; each of them returns a new one."""

    # The time of the last build.
    as_of: datetime = EARLIEST
    # Every file that a build has seen.
    seen: Lake = field(default_factory=Lake)
    # What the last build committed: the order of the runs, and which runs are settled.
    syncs: tuple[Sync, ...] = ()
    too_late: tuple[Run, ...] = ()
    settings: Settings = ()
    # Pruned runs, in the state that the last build before their prune knew.
    pruned: dict[RunKey, Run] = field(default_factory=dict)
    purges: tuple[Purge, ...] = ()
    # Fills in the names of a run, as the last build knows them.
    named: Callable[[Run], Run] = _as_reported

    def built(
        self,
        lake: Lake | None = None,
        as_of: datetime | None = None,
        settings: Settings = (),
        other_runs: Iterable[Run] = (),
        named: Callable[[Run], Run] = _as_reported,
    ) -> "Retained":
        """Build from everything in a lake; a full refresh repeats the same build.

        By default the lake has nothing new, and it is the time of the last build.
        `other_runs` are those of other sources, with all that any build has seen of them, as
        reported. Only in tables and answers, `named` fills in their names: also of pruned runs.
        """
        seen = merge(self.seen, lake or Lake())
        as_of = as_utc(as_of or self.as_of)
        runs = [_without_purged(run, self.purges) for run in [*read_runs(seen), *other_runs]]
        others = [run for run in runs if run.key not in self.pruned]
        too_late = [run for run in others if self._is_too_late(run)]
        in_time = [run for run in others if run not in too_late]
        syncs = in_order(
            [*self.pruned.values(), *in_time],
            as_of,
            # A later run that once settled a pruned run may since have become too late.
            settled_for_good=frozenset(self.pruned),
        )
        return replace(
            self,
            as_of=as_of,
            seen=seen,
            syncs=tuple(syncs),
            too_late=tuple(too_late),
            settings=settings,
            named=named,
        )

    def after_prune(self, prune: Prune, settings: Settings | None = None) -> "Retained":
        """Prune, with the settings of the last build unless others are given."""
        newly_pruned = self.runs_to_prune(prune, settings)
        frozen = {run.key: run for runs in newly_pruned.values() for run in runs}
        return replace(self, pruned=self.pruned | frozen)

    def runs_to_prune(
        self, prune: Prune, settings: Settings | None = None
    ) -> dict[SyncKey, list[Run]]:
        """List the runs that a prune would prune, by sync; the last one becomes the new horizon."""
        settings = self.settings if settings is None else settings
        found = {}
        for sync in self.syncs:
            its_settings = settings_of((sync.organization_id, sync.sync_id), settings)
            days = prune.retention_days
            if days is None:
                days = its_settings.retention_days
            if not prune.concerns(sync) or not its_settings.is_active or days is None:
                continue
            cutoff = as_utc(prune.now) - timedelta(days=days)
            runs = [run for run in old_prefix(sync, cutoff) if run.key not in self.pruned]
            if runs:
                found[sync.organization_id, sync.sync_id] = runs
        return found

    def after_purge(self, purge: Purge) -> "Retained":
        """Purge a record."""
        return replace(self, purges=(*self.purges, purge))

    def tables(self) -> dict[str, list[Row]]:
        """Compute all tables.

        Between a purge and the next build, the counts of `sync_runs` are not guaranteed; here they
        still include the purged record. For runs that are too late, status and `is_settled` are
        not guaranteed either; here they are null.
        """
        tables = fact_rows(self.seen) | tables_of(self.named_syncs())
        for table, column in IDENTIFIER_COLUMNS.items():
            tables[table] = [row for row in tables[table] if not self._is_purged(row, column)]
        for table in HISTORY_TABLES:
            tables[table] = [row for row in tables[table] if run_key_of(row) not in self.pruned]
        tables["sync_runs"] = [
            *(
                row | flags
                for row, flags in zip(tables["sync_runs"], self._run_flags(), strict=True)
            ),
            *(
                run_row(replace(self.named(run), reported_counts={}), False, [])
                | _flags_of_too_late()
                for run in self.too_late
            ),
        ]
        tables["log_coverage"] = [
            *(row for sync in self.syncs for row in coverage_rows(sync, self.pruned)),
            *map(too_late_row, self.too_late),
        ]
        return kept_tables(tables, self.settings)

    def answers(self, rules: Rules = (), alert_rules: AlertRules = ()) -> dict[str, list[Row]]:
        """Compute all answers; they are not guaranteed between a purge and the next build."""
        return answers_of(self.facts(), self.as_of, rules, alert_rules)

    def facts(self) -> list[SyncFacts]:
        """Return what is known about each sync."""
        return [facts_of(sync, self._kept_of(sync)) for sync in self.named_syncs()]

    def named_syncs(self) -> list[Sync]:
        """Return the syncs with all names that the last build knows."""
        return [replace(sync, runs=tuple(map(self.named, sync.runs))) for sync in self.syncs]

    def _kept_of(self, sync: Sync) -> Kept:
        key = (sync.organization_id, sync.sync_id)
        settings = settings_of(key, self.settings)
        return Kept(
            pruned=frozenset(self.pruned),
            purged=frozenset(p.identifier for p in self.purges if p.concerns(key, p.identifier)),
            too_late_count=sum(run.sync_key == key for run in self.too_late),
            keep_changelog=settings.keep_changelog,
            keep_runs=settings.keep_runs,
        )

    def _is_too_late(self, run: Run) -> bool:
        orders = [run_order(one) for one in self.pruned.values() if one.sync_key == run.sync_key]
        return bool(orders) and run_order(run) < max(orders)

    def _is_purged(self, row: Row, column: str) -> bool:
        return any(purge.concerns(sync_key_of(row), row[column]) for purge in self.purges)

    def _run_flags(self) -> Iterator[Row]:
        for sync in self.syncs:
            for position, run in enumerate(sync.runs):
                yield {
                    "run_position": position + 1,
                    "is_settled": sync.settled[position],
                    "is_pruned": run.key in self.pruned,
                    "is_too_late": False,
                }


def old_prefix(sync: Sync, cutoff: datetime) -> list[Run]:
    """Return the longest prefix of a sync's runs that has only old runs."""
    prefix = []
    for run, settled in zip(sync.runs, sync.settled, strict=True):
        if not is_old(run, settled, cutoff):
            break
        prefix.append(run)
    return prefix


def is_old(run: Run, settled: bool, cutoff: datetime) -> bool:
    """Whether all known times of a run are before the cutoff."""
    times = [time for time in (run.order_at, run.last_batch_ended_at) if time is not None]
    return settled and bool(times) and max(times) < cutoff


def _without_purged(run: Run, purges: tuple[Purge, ...]) -> Run:
    # The other rows keep their positions in their files, because ids depend on them.
    attempts = [
        attempt
        for attempt in run.attempts
        if not any(purge.concerns(run.sync_key, attempt.identifier) for purge in purges)
    ]
    return replace(run, attempts=tuple(attempts))


def _flags_of_too_late() -> Row:
    return {
        **{"run_position": None, "is_settled": None, "is_log_complete": None},
        **{"is_pruned": False, "is_too_late": True},
    }
