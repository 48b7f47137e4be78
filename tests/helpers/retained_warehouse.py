"""A warehouse and its expected content, through builds, prunes and purges."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from conftest import Warehouse
from helpers.compared_tables import answers_differing, differing_tables, rules_of
from oracle import ANSWER_COLUMNS, Step, apply_step, read_lake
from oracle.retention import (
    COLUMNS,
    IDENTIFIER_COLUMNS,
    Prune,
    Purge,
    Retained,
    Settings,
    SyncSettings,
)

Rows = list[dict[str, object]]
ROW_LEVEL = tuple(IDENTIFIER_COLUMNS)
# a prune or a purge leaves clusters as they are until the next build with news
ANSWERS = [name for name in ANSWER_COLUMNS if name != "error_clusters"]


@dataclass
class Pair:
    """A warehouse and its independent computation."""

    warehouse: Warehouse
    retained: Retained = field(default_factory=Retained)

    def build(
        self,
        step: Step,
        *command: str,
        settings: Settings = (),
        settings_relation: str | None = None,
    ) -> None:
        """Change the lake, build, and compare all tables."""
        apply_step(self.warehouse.lake, step)
        lake = read_lake(self.warehouse.lake)
        self.retained = self.retained.built(lake, step.as_of, settings)
        given = variables(step.as_of, settings_relation)
        verb, *options = command
        if verb == "build":
            # the lake has broken files, so the tests that name them fail
            assert self.warehouse.builds(given, *options), self.warehouse.failures()
        else:
            assert self.warehouse.dbt(*command, variables=given), self.warehouse.failures()
        self.compare(COLUMNS)
        self.compare_answers()

    def prune(
        self,
        prune: Prune,
        *,
        settings: Settings | None = None,
        settings_relation: str | None = None,
    ) -> None:
        """Prune, and compare all tables."""
        arguments = prune_arguments(prune) | {"dry_run": False}
        given = variables(prune.now, settings_relation)
        self._operate("prune_sync_logs", arguments, given)
        self.retained = self.retained.after_prune(prune, settings)
        self.compare(COLUMNS)
        self.compare_answers()

    def dry_run(self, prune: Prune) -> None:
        """Show what would be pruned; no table changes."""
        self._operate("prune_sync_logs", prune_arguments(prune), variables(prune.now))

    def purge(self, purge: Purge, *, in_advance: bool = False) -> None:
        """Purge a record, and compare the tables that must be right before the next build."""
        self._operate("purge_record", purge_arguments(purge) | {"in_advance": in_advance})
        self.retained = self.retained.after_purge(purge)
        self.compare(ROW_LEVEL)

    def collect(self) -> None:
        """Drop every load that the last commit does not need; no table changes."""
        self._operate("sync_logs_collect", {"keep_previous": False})
        self.compare(COLUMNS)

    def compare(self, tables: "dict[str, tuple[str, ...]] | tuple[str, ...]") -> None:
        """Assert that tables are as expected."""
        expected = self.retained.tables()
        differing = differing_tables(expected, self.warehouse.tables(tables))
        assert not differing, differing

    def compare_answers(self) -> None:
        """Assert that the answers are as expected."""
        expected = self.retained.answers(rules_of(self.warehouse))
        differing = answers_differing(expected, self.warehouse.tables(ANSWERS))
        assert not differing, differing

    def _operate(self, macro: str, arguments: dict[str, object], variables: str = "{}") -> None:
        ended_well = self.warehouse.operation(macro, variables, **arguments)
        assert ended_well, self.warehouse.failures()


def variables(now: datetime, settings_relation: str | None = None) -> str:
    """The dbt vars that fix the time, and the relation of settings if there is one."""
    given = {"sync_logs_as_of": now.isoformat()}
    if settings_relation is not None:
        given["sync_logs_settings_relation"] = settings_relation
    return json.dumps(given)


def prune_arguments(prune: Prune) -> dict[str, object]:
    """The arguments for `prune_sync_logs`, without `dry_run`."""
    return _given(
        retention_days=prune.retention_days,
        organization_id=prune.organization_id,
        sync_id=prune.sync_id,
    )


def purge_arguments(purge: Purge) -> dict[str, object]:
    """The arguments for `purge_record`."""
    return _given(
        organization_id=purge.organization_id, identifier=purge.identifier, sync_id=purge.sync_id
    )


def _given(**arguments: object) -> dict[str, object]:
    return {name: value for name, value in arguments.items() if value is not None}


def settings_query(settings: Settings) -> str:
    """A query whose rows are settings; default values are null."""
    return "\nunion all\n".join(_settings_select(one) for one in settings)


def _settings_select(one: SyncSettings) -> str:
    flags = ("is_active", "keep_changelog", "keep_snapshot", "keep_runs")
    columns = [f"'{one.organization_id}' as organization_id", f"'{one.sync_id}' as sync_id"]
    columns += [
        f"cast({'null' if getattr(one, flag) else 'false'} as boolean) as {flag}" for flag in flags
    ]
    days = "null" if one.retention_days is None else one.retention_days
    return f"select {', '.join([*columns, f'cast({days} as double) as retention_days'])}"


def files_holding(folder: Path, text: str) -> list[Path]:
    """The parquet files below a folder that have a text as a value, at any depth."""
    return [
        file
        for file in sorted(folder.rglob("*.parquet"))
        if file.is_file() and text in set(texts(file))
    ]


def leave_unfinished(folder: Path, text: str) -> None:
    """Copy the files with a text to where a write that was killed leaves them."""
    for file in files_holding(folder, text):
        left = file.parents[1] / "_temporary" / "0" / "_temporary" / "attempt_0" / file.parent.name
        left.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, left)


def texts(file: Path) -> Iterator[str]:
    """All texts in a parquet file, including those in lists and structs."""
    with file.open("rb") as handle:
        table = pq.read_table(handle, use_threads=False)
    for column in table.columns:
        if _may_hold_text(column.type):
            yield from _texts_in(column.to_pylist())


def _may_hold_text(type_: pa.DataType) -> bool:
    return bool(pa.types.is_nested(type_) or pa.types.is_string(type_) or pa.types.is_binary(type_))


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, dict):
        yield from _texts_in(list(value.items()))
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts_in(one)
