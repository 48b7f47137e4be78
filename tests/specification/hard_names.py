"""What is hard in fact tables and in a relation of names: features, as often as they occur."""

from collections import Counter
from collections.abc import Iterator, Sequence

from oracle.history import RunKey
from oracle.lake import FACT_TABLES
from oracle.names import (
    FACT_COLUMNS,
    KINDS,
    SYNC,
    TABLE_OF_KIND,
    AnyRow,
    SourceNames,
    named,
    value_of,
)
from oracle.random_names import names_in
from oracle.source_history import SourceHistory, SourceTable

# A run's model name and destination.
RunNames = tuple[str | None, str | None]


def features_of_names(
    histories: Sequence[SourceHistory], names: Sequence[SourceTable], step_count: int
) -> "Counter[str]":
    """Count what is hard in the first steps of some histories with a relation of names."""
    found: Counter[str] = Counter()
    for index in range(step_count):
        table = names_in(names, index)
        rows = () if table is None else table.rows
        if table is not None:
            found.update(_of_relation(table))
        for history in histories:
            found.update(_of_source(history.names_after(index, rows)))
            found.update(_of_runs(history, index, rows))
            found.update(_of_facts(history, index))
            if index:
                found.update(_of_change(history, index, names))
    return found


def _of_relation(table: SourceTable) -> Iterator[str]:
    has_organizations = "organization_id" in table.columns
    yield f"names {'with' if has_organizations else 'without'} organizations"
    if not table.rows:
        yield "no names"
    for row in table.rows:
        if row["kind"] not in KINDS:
            yield "name of another kind"
        if row["id"] is None:
            yield "name without id"
        if has_organizations and row["organization_id"] is None:
            yield "name for all"
    counted = Counter((row.get("organization_id"), row["kind"], row["id"]) for row in table.rows)
    if max(counted.values(), default=0) > 1:
        yield "names with one id"


def _of_source(names: SourceNames) -> Iterator[str]:
    for kind, table in TABLE_OF_KIND.items():
        ours, theirs = names.facts[table].keys(), names.given[kind].keys()
        if ours & theirs:
            yield f"{kind} of both"
        if ours - theirs:
            yield f"{kind} of the vendor"
        if theirs - ours:
            yield f"{kind} of the user"


def _of_runs(history: SourceHistory, index: int, rows: Sequence[AnyRow]) -> Iterator[str]:
    names = history.names_after(index, rows)
    for run in history.runs_after(index):
        metadata, sync = run.metadata, names.given[SYNC].get(run.sync_id, {})
        ways = (
            ("name", metadata.model_name, "source_object", metadata.source_object_id),
            ("type", metadata.destination_type, "destination", metadata.destination_id),
        )
        for column, reported, kind, its_id in ways:
            texts = (
                ("reported", reported),
                ("vendor's", value_of(names.facts[TABLE_OF_KIND[kind]], its_id, column)),
                ("user's", value_of(names.given[kind], its_id, column)),
                ("sync's", sync.get(column)),
            )
            known = [way for way, text in texts if text is not None]
            yield f"{column} is {known[0] if known else 'null'}"
            if "user's" in known[:1] and its_id in names.facts[TABLE_OF_KIND[kind]]:
                yield f"{column} is user's because the vendor's is null"
            if len(known) > 1:
                yield f"{column} is {known[0]} before {known[1]}"


def _of_facts(history: SourceHistory, index: int) -> Iterator[str]:
    tables = history.step(index).tables
    for table in FACT_TABLES:
        if table not in tables:
            yield "fact table missing"
            continue
        columns, rows = tables[table].columns, tables[table].rows
        yield f"fact id is a {columns['id']}"
        if set(FACT_COLUMNS[table]) - columns.keys():
            yield "fact column missing"
        counted = Counter(row["id"] for row in rows)
        if None in counted:
            yield "fact without id"
        for row_id, count in counted.items():
            copies = {tuple(map(str, row.items())) for row in rows if row["id"] == row_id}
            if row_id is not None and count > 1:
                yield "same facts" if len(copies) == 1 else "differing facts"


def _of_change(history: SourceHistory, index: int, names: Sequence[SourceTable]) -> Iterator[str]:
    if index >= len(history.steps):
        return
    before, after = history.step(index - 1).tables, history.step(index).tables
    for table in FACT_TABLES:
        if table in before and table not in after:
            yield "fact table dropped"
        if table in after and table not in before:
            yield "fact table comes"
        if table in before and table in after:
            ids = [{row["id"] for row in step[table].rows} for step in (before, after)]
            if ids[0] - ids[1]:
                yield "fact vanishes"
            if ids[1] - ids[0]:
                yield "fact comes"
            if after[table].columns.keys() ^ before[table].columns.keys():
                yield "fact column comes or goes"
        seen = [history.names_after(step).facts[table] for step in (index - 1, index)]
        if any(seen[1][row_id] != row for row_id, row in seen[0].items()):
            yield "fact changes"
    old, new = (_names_of_runs(history, step, names) for step in (index - 1, index))
    cleaned = {run.key for run in history.runs_after(index) if run.deleted_row_count}
    for key, texts in old.items():
        for column, earlier, later in zip(("name", "type"), texts, new[key], strict=True):
            if earlier != later:
                change = "comes" if earlier is None else "goes" if later is None else "changes"
                yield f"{column} {change}"
                if key in cleaned:
                    yield f"{column} of a cleaned run changes"


def _names_of_runs(
    history: SourceHistory, index: int, names: Sequence[SourceTable]
) -> dict[RunKey, RunNames]:
    table = names_in(names, index)
    its_names = history.names_after(index, () if table is None else table.rows)
    runs = [named(run, its_names) for run in history.runs_after(index)]
    return {run.key: (run.metadata.model_name, run.metadata.destination_type) for run in runs}
