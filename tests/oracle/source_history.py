"""Histories of sources of tables, and the documented tables that each step must give.

A step is the full content of a source. A test writes it over the source's tables, builds, and
compares with what is expected after the step.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from . import drt, hightouch, hightouch_snapshots, rudderstack, writeback
from .answers import Rules, answers_of
from .answers_facts import facts_of
from .history import Run, Sync, in_order
from .lake import FACT_TABLES, as_utc
from .names import AnyRow, SourceNames, facts_after, given_names, named, named_fact_rows
from .rows import Row
from .semantics import tables_of
from .sources import Source
from .vocabulary import REACHED

# The rows of each table of a source at one time.
Content = Mapping[str, Iterable[Mapping[str, object]]]


@dataclass(frozen=True)
class SourceType:
    """What a source of a type has: its tables, and the runs that some contents in turn show.

    The runs follow from the organisation, the name of the source, and the contents.
    """

    tables: tuple[str, ...]
    runs_after: Callable[[str, str, Sequence[Content]], list[Run]]
    source_of: Callable[[str], Source]
    fact_tables: tuple[str, ...] = ()

    @property
    def all_tables(self) -> tuple[str, ...]:
        """The tables that a source of the type can have."""
        return (*self.tables, *self.fact_tables)


SOURCE_TYPES = {
    "hightouch": SourceType(
        (hightouch.CHANGELOG, hightouch.RUNS, hightouch.SNAPSHOT),
        hightouch_snapshots.runs_after,
        hightouch.source_of,
    ),
    "census_writeback": SourceType(
        (writeback.SYNC_LOG,), writeback.runs_after, writeback.source_of, FACT_TABLES
    ),
    "rudderstack": SourceType(
        (rudderstack.SYNC_LOG,), rudderstack.runs_after, rudderstack.source_of
    ),
    "drt": SourceType((drt.HISTORY, drt.DEAD_LETTERS), drt.runs_after, drt.source_of),
}
# Only Spark computes the positions of rows in these tables.
TABLES = {name for type_ in SOURCE_TYPES.values() for name in type_.tables}


@dataclass(frozen=True)
class SourceTable:
    """A table of a source: the SQL type of each column, in order, and the rows."""

    columns: dict[str, str]
    rows: tuple[dict[str, object], ...]


@dataclass(frozen=True)
class SourceStep:
    """The tables of a source at one time, by name, and the time of the build that reads them."""

    tables: dict[str, SourceTable]
    as_of: datetime


@dataclass(frozen=True)
class SourceHistory:
    """A source of tables and its steps; `organization_setting` is None if it is not set."""

    type: str
    source_name: str
    organization_setting: str | None
    steps: tuple[SourceStep, ...]

    @property
    def organization_id(self) -> str:
        """The organisation in the settings, by default the name of the source."""
        return self.source_name if self.organization_setting is None else self.organization_setting

    def step(self, index: int) -> SourceStep:
        """Return a step; a history with fewer steps stays as its last step left it."""
        return self.steps[min(index, len(self.steps) - 1)]

    def contents(self, step_index: int) -> list[Content]:
        """List what builds after each step up to this one have found."""
        return [
            {name: table.rows for name, table in step.tables.items()}
            for step in self.steps[: step_index + 1]
        ]

    def runs_after(self, step_index: int) -> list[Run]:
        """List the runs that builds after each step up to this one have seen."""
        runs_after = SOURCE_TYPES[self.type].runs_after
        return runs_after(self.organization_id, self.source_name, self.contents(step_index))

    def names_after(self, step_index: int, names: Iterable[AnyRow] = ()) -> SourceNames:
        """Return what names the runs after a step; `names` are the user's rows as of the step."""
        type_ = SOURCE_TYPES[self.type]
        return SourceNames(
            organization_id=self.organization_id,
            source=type_.source_of(self.source_name),
            facts=facts_after(self.contents(step_index) if type_.fact_tables else ()),
            given=given_names(names, self.organization_id),
        )


def namer(
    histories: Sequence[SourceHistory], step_index: int, names: Iterable[AnyRow] = ()
) -> Callable[[Run], Run]:
    """Return what fills in the names of runs after a step; `names` are the user's rows then.

    Runs of other organisations stay as they are.
    """
    names = list(names)
    known = {one.organization_id: one.names_after(step_index, names) for one in histories}

    def fill(run: Run) -> Run:
        its_names = known.get(run.organization_id)
        return run if its_names is None else named(run, its_names)

    return fill


def expected_syncs(
    histories: Sequence[SourceHistory],
    step_index: int,
    *,
    other_runs: Iterable[Run] = (),
    as_of: datetime | None = None,
    names: Iterable[AnyRow] = (),
) -> list[Sync]:
    """Order the runs of all sources after a step, with other runs, such as those of a lake.

    The build is at `as_of`, by default at the last `as_of` of the histories in this step. `names`
    are the rows of the user's relation then; they are for runs of the histories only. No run may
    be in two sources, because the rules say nothing about it: raises `ValueError`.
    """
    fill = namer(histories, step_index, names)
    runs = list(other_runs)
    for history in histories:
        runs += map(fill, history.runs_after(step_index))
    if len({run.key for run in runs}) < len(runs):
        raise ValueError("expected each run in one source")
    return in_order(runs, _time_of_build(histories, step_index, as_of))


def _time_of_build(
    histories: Sequence[SourceHistory], step_index: int, as_of: datetime | None
) -> datetime:
    return as_utc(as_of or max(history.step(step_index).as_of for history in histories))


def expected_tables(
    histories: Sequence[SourceHistory],
    step_index: int,
    *,
    other_runs: Iterable[Run] = (),
    as_of: datetime | None = None,
    names: Iterable[AnyRow] = (),
) -> dict[str, list[Row]]:
    """Compute all tables after a step; `fact_rows` has the fact rows of a lake."""
    names = list(names)
    syncs = expected_syncs(histories, step_index, other_runs=other_runs, as_of=as_of, names=names)
    all_names = [history.names_after(step_index, names) for history in histories]
    return named_fact_rows(all_names) | tables_of(syncs)


def expected_answers(
    histories: Sequence[SourceHistory],
    step_index: int,
    *,
    as_of: datetime | None = None,
    rules: Rules = (),
    names: Iterable[AnyRow] = (),
) -> dict[str, list[Row]]:
    """Compute the answers after a step."""
    syncs = expected_syncs(histories, step_index, as_of=as_of, names=names)
    all_facts = [facts_of(sync) for sync in syncs]
    return answers_of(all_facts, _time_of_build(histories, step_index, as_of), rules)


def expected_log_ids(histories: Sequence[SourceHistory], step_index: int) -> list[Row]:
    """List the rows of `sync_log` that have an id of their vendor, with what the vendor reports.

    `_census_logged_at` is null where it is the time of a build.
    """
    return [
        {
            "organization_id": run.organization_id,
            "sync_id": run.sync_id,
            "sync_run_id": run.sync_run_id,
            "log_id": attempt.log_id,
            "record_identifier": attempt.identifier,
            "_census_logged_at": attempt.logged_at,
        }
        for history in histories
        for run in history.runs_after(step_index)
        for attempt in run.attempts
        if attempt.log_id is not None and attempt.record_status in REACHED
    ]


def without_row_hashes(rows: Iterable[Row]) -> list[Row]:
    """Set `row_index` to null where it is a hash that only Spark computes, on either side."""
    return [row | {"row_index": None} if row.get("file_name") in TABLES else row for row in rows]
