"""Histories of Hightouch sources, and the documented tables that each step must give.

A step is the full content of a source. A test writes it over the source's tables, builds, and
compares with what is expected after the step.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from .answers import Rules, answers_of
from .answers_facts import facts_of
from .hightouch import CHANGELOG, HightouchTables, merge, read_tables, runs_of
from .history import Run, Sync, in_order
from .lake import as_utc
from .rows import Row
from .semantics import tables_of


@dataclass(frozen=True)
class SourceTable:
    """A table of a source: the SQL type of each column, in order, and the rows."""

    columns: dict[str, str]
    rows: tuple[dict[str, object], ...]


@dataclass(frozen=True)
class HightouchStep:
    """The tables of a source at one time, by name, and the time of the build that reads them."""

    tables: dict[str, SourceTable]
    as_of: datetime


@dataclass(frozen=True)
class HightouchHistory:
    """A source of type hightouch and its steps; `organization_setting` is None if it is not set."""

    source_name: str
    organization_setting: str | None
    steps: tuple[HightouchStep, ...]

    @property
    def organization_id(self) -> str:
        """The organisation in the settings, by default the name of the source."""
        return self.source_name if self.organization_setting is None else self.organization_setting

    def step(self, index: int) -> HightouchStep:
        """Return a step; a history with fewer steps stays as its last step left it."""
        return self.steps[min(index, len(self.steps) - 1)]


def seen_after(history: HightouchHistory, step_index: int) -> HightouchTables:
    """Return everything that builds after each step up to this one have seen of a source."""
    seen = HightouchTables(history.organization_id, source_name=history.source_name)
    for step in history.steps[: step_index + 1]:
        rows = {name: table.rows for name, table in step.tables.items()}
        seen = merge(seen, read_tables(history.organization_id, rows, history.source_name))
    return seen


def expected_syncs(
    histories: Sequence[HightouchHistory],
    step_index: int,
    *,
    other_runs: Iterable[Run] = (),
    as_of: datetime | None = None,
    settle_minutes: int = 60,
) -> list[Sync]:
    """Order the runs of all sources after a step, with other runs, such as those of a lake.

    The build is at `as_of`, by default at the last `as_of` of the histories in this step. No run
    may be in two sources, because the rules say nothing about it: raises `ValueError`.
    """
    runs = list(other_runs)
    for history in histories:
        runs += runs_of(seen_after(history, step_index))
    if len({run.key for run in runs}) < len(runs):
        raise ValueError("expected each run in one source")
    times = [history.step(step_index).as_of for history in histories]
    return in_order(runs, as_utc(as_of or max(times)), settle_minutes)


def expected_tables(
    histories: Sequence[HightouchHistory],
    step_index: int,
    *,
    other_runs: Iterable[Run] = (),
    as_of: datetime | None = None,
) -> dict[str, list[Row]]:
    """Compute the tables that come from logs after a step; `fact_rows` has the others."""
    return tables_of(expected_syncs(histories, step_index, other_runs=other_runs, as_of=as_of))


def expected_answers(
    histories: Sequence[HightouchHistory],
    step_index: int,
    *,
    other_runs: Iterable[Run] = (),
    as_of: datetime | None = None,
    rules: Rules = (),
) -> dict[str, list[Row]]:
    """Compute the answers after a step."""
    syncs = expected_syncs(histories, step_index, other_runs=other_runs, as_of=as_of)
    return answers_of([facts_of(sync) for sync in syncs], rules)


def without_row_hashes(rows: Iterable[Row]) -> list[Row]:
    """Set `row_index` to null where it is a hash that only Spark computes, on either side."""
    return [row | {"row_index": None} if row.get("file_name") == CHANGELOG else row for row in rows]
