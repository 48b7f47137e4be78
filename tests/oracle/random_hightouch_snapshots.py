"""Seeded random histories of Hightouch sources with syncs that have a snapshot and no changelog."""

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from .hightouch import CHANGELOG, RUNS, SNAPSHOT
from .random_hightouch import OPTIONAL_RUN_COLUMNS, column_types
from .random_hightouch_rows import SyncDraft, random_sync, run_row, unfinished
from .random_hightouch_snapshot_rows import changed, counts_for, snapshot_of
from .random_ids import SourceId, random_run_ids, random_sync_ids
from .random_steps import as_of, table_of
from .random_words import DAY_ONE
from .rows import Row
from .source_history import SourceHistory, SourceStep

# Which table has the rows of a sync; some syncs get a changelog later, or no longer have one.
KINDS = ("snapshot", "changelog", "snapshot, then changelog", "changelog, then snapshot")


@dataclass(frozen=True)
class Shape:
    """Which columns a source has; `fields` may be missing in its first step."""

    name: str
    columns: tuple[str, ...] = ("failure_reason", "fields")
    has_late_fields: bool = False
    has_integer_ids: bool = False


SHAPES = (
    Shape("usual"),
    Shape("integer ids", has_integer_ids=True),
    Shape("both reasons and groups", ("failed_reason", "failure_reason", "fields", "split_group")),
    Shape("failed_reason only", ("failed_reason", "fields")),
    Shape("late fields", has_late_fields=True),
    Shape("bare", ()),
)


@dataclass
class SyncTables:
    """The rows of one sync in each table while the steps are drawn."""

    draft: SyncDraft
    kind: str
    shape: Shape
    run_ids: list[SourceId]
    # The step in which the kind changes, if it does.
    changes_at: int
    runs: list[Row] = field(default_factory=list)
    changelog: list[Row] = field(default_factory=list)
    snapshot: list[Row] = field(default_factory=list)
    # The snapshot of the last run if the table does not have it yet, and the run if it goes on.
    next_snapshot: list[Row] | None = None
    ended_run: Row | None = None
    was_missing: bool = False

    def logs_in(self, step: int) -> bool:
        """Whether new runs of a step have rows in the changelog."""
        first, _, then = self.kind.partition(", then ")
        return (then if then and step >= self.changes_at else first) == "changelog"

    def go_on(self, rng: Random, step: int) -> None:
        """Draw what happens until a step: what is late comes, and up to two runs start."""
        is_late = self.next_snapshot is not None
        if self.ended_run is not None:
            self.runs[-1], self.ended_run = self.ended_run, None
        if self.next_snapshot is not None:
            self.snapshot, self.next_snapshot = self.next_snapshot, None
        loses_changelog = self.kind.startswith("changelog, ") and step == self.changes_at
        fewest = 1 if step == 0 or loses_changelog else 0
        new_run_count = max(fewest, rng.choice((0, 0, 1, 1, 2)))
        if loses_changelog:
            self.changelog = []
        elif new_run_count and rng.random() < 0.2:
            # Older rows are cleaned up.
            last = self.runs[-1]["sync_run_id"] if self.runs else None
            self.changelog = [row for row in self.changelog if row["sync_run_id"] == last]
        for _ in range(new_run_count):
            self._run(rng, step)
        if new_run_count:
            self._delay(rng)
        elif (self.was_missing or rng.random() < 0.5) and not is_late and not self.logs_in(step):
            self.snapshot = changed(rng, self.draft, self.snapshot)
            self.runs[-1] = self.runs[-1] | counts_for(rng, self.snapshot)

    def _run(self, rng: Random, step: int) -> None:
        """Draw a run that ends, and its snapshot."""
        if self.next_snapshot is not None:
            self.snapshot = self.next_snapshot
        run_id = self.run_ids.pop()
        rows = snapshot_of(rng, self.draft)
        start = len(self.runs) * 60
        drawn = run_row(rng, self.draft, run_id, start, self.shape.has_integer_ids, [])
        started_at: object = DAY_ONE + timedelta(minutes=start)
        if self.kind == "snapshot":
            # The order of runs may be another one than that of their snapshots.
            earlier = self.runs[-1]["started_at"] if self.runs else None
            started_at = rng.choice((*([started_at] * 16), earlier, None))
        self.runs.append(drawn | {"started_at": started_at} | counts_for(rng, rows))
        if self.logs_in(step):
            logged = {row["row_id"]: row for row in rows if row["row_id"] is not None}
            words = ("added", "changed", "removed")
            self.changelog += [
                row | {"sync_run_id": run_id}
                for row in logged.values()
                if str(row["op_type"]).strip().lower() in words
            ]
        self.next_snapshot = rows

    def _delay(self, rng: Random) -> None:
        """Put the last snapshot into the table, unless it is late or its run still goes on."""
        chance = rng.random()
        if chance < 0.2:
            self.ended_run = self.runs[-1]
            self.runs[-1] = unfinished(rng, self.runs[-1])
        elif chance > 0.35 and self.next_snapshot is not None:
            self.snapshot, self.next_snapshot = self.next_snapshot, None


def random_snapshots(seed: int) -> SourceHistory:
    """Create a history; the same seed gives the same history.

    Each shape comes up once in as many seeds as there are shapes. The source and its organisation
    are named after the seed, so several histories fit into one warehouse.
    """
    rng = Random(seed)
    shape = SHAPES[seed % len(SHAPES)]
    step_count = rng.randint(3, 4)
    kinds = ["snapshot", "changelog", *rng.sample(KINDS, rng.randint(0, 2))]
    syncs = []
    sync_ids = random_sync_ids(rng, shape.has_integer_ids, len(kinds))
    for sync_id, kind in zip(sync_ids, kinds, strict=True):
        draft = random_sync(rng, sync_id, shape.has_integer_ids)
        ids = random_run_ids(rng, shape.has_integer_ids, 2 * step_count)
        syncs.append(SyncTables(draft, kind, shape, ids, rng.randrange(1, step_count)))
    missing_step = rng.choice((None, None, *range(step_count)))
    return SourceHistory(
        type="hightouch",
        source_name=f"snapshots_{seed}",
        organization_setting=rng.choice((None, f"Snapshots {seed}")),
        steps=tuple(
            _step(rng, shape, syncs, step, is_missing=step == missing_step)
            for step in range(step_count)
        ),
    )


def _step(
    rng: Random, shape: Shape, syncs: list[SyncTables], step: int, is_missing: bool
) -> SourceStep:
    rows: dict[str, list[Row]] = {CHANGELOG: [], RUNS: [], SNAPSHOT: []}
    for sync in syncs:
        sync.go_on(rng, step)
        rows[CHANGELOG] += sync.changelog
        rows[RUNS] += sync.runs
        sync.was_missing = is_missing or rng.random() < 0.1
        rows[SNAPSHOT] += [] if sync.was_missing else sync.snapshot
    columns = [c for c in shape.columns if c != "fields" or step or not shape.has_late_fields]
    names = {
        CHANGELOG: ["sync_id", "sync_run_id", "row_id", "op_type", "status", *columns],
        RUNS: ["sync_id", "sync_run_id", *OPTIONAL_RUN_COLUMNS],
        SNAPSHOT: ["sync_id", "row_id", "op_type", "status", *columns],
    }
    if is_missing:
        del names[SNAPSHOT]
    types = column_types(shape.has_integer_ids)
    return SourceStep(
        tables={
            name: table_of(rng, its_names, types, rows[name]) for name, its_names in names.items()
        },
        as_of=as_of(step),
    )
