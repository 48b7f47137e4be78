"""What rows say about their source: expected values worked out by hand."""

from dataclasses import replace

from oracle import ANSWER_COLUMNS, COLUMNS, compute, compute_answers
from oracle.answers import answers_of
from oracle.answers_facts import facts_of
from oracle.building import at, batch, lake_of, row
from oracle.building_hightouch import logged, seen, syncs_in
from oracle.hightouch import HightouchTables
from oracle.lake import FACT_TABLES, FactRow, Lake, merge
from oracle.rows import Row
from oracle.semantics import tables_of
from oracle.source_history import SourceHistory, SourceStep, SourceTable, expected_tables
from oracle.sources import LAKE

AS_OF = at(10_000)
# Its rows are about all sources; `vendors` names them.
OF_ALL_SOURCES = "error_clusters"
WITH_PAYLOADS = {"sync_log", "sync_records", "sync_changelog", "sync_snapshot", "field_changes"}
# Record `a` leaves and enters again with another payload; record `b` fails, once in a run that was
# not completed, and `c`, which failed too, succeeds as it is.
FILES = lake_of(
    batch("1", row("a", "upsert", "succeeded", payload='{"x": 1}', ended=1)),
    batch("2", row("a", "delete", "succeeded", ended=2), row("b", "upsert", "rejected")),
    batch("3", row("a", "upsert", "succeeded", payload='{"x": 2, "y": 3}', ended=3)),
    batch(
        "4",
        *(
            row(one, "upsert", "rejected", message="no", payload="{}", ended=4)
            for one in ("b", "c")
        ),
        row("d", "upsert", "aborted"),
    ),
    batch("5", row("c", "upsert", "succeeded", payload="{}", ended=5)),
)
FACTS: dict[str, tuple[FactRow, ...] | None] = {
    f"metadata/o/{table}.parquet": ({"id": "1"},) for table in FACT_TABLES
}
CHANGES = seen(
    *(logged("1", "a", fields='{"x": 1}'), logged("2", "a", "removed"), logged("2", "b")),
    *(logged("3", "a", fields='{"x": 2}'), logged("3", "b", "changed", "failed")),
)


def all_of(lake: Lake) -> dict[str, list[Row]]:
    return compute(lake, AS_OF) | compute_answers(lake, AS_OF)


def all_of_tables(found: HightouchTables) -> dict[str, list[Row]]:
    syncs = syncs_in(found)
    return tables_of(syncs) | answers_of([facts_of(sync) for sync in syncs], AS_OF)


def sources(tables: dict[str, list[Row]]) -> set[tuple[object, object]]:
    return {
        (one["source_name"], one["vendor"])
        for name, rows in tables.items()
        for one in rows
        if name != OF_ALL_SOURCES
    }


def payload_kinds(tables: dict[str, list[Row]]) -> dict[str, set[object]]:
    return {
        name: {one["payload_kind"] for one in rows}
        for name, rows in tables.items()
        if name in WITH_PAYLOADS
    }


# Every row has all columns of its table, the source last.
def test_every_row_names_its_source() -> None:
    tables = all_of(replace(FILES, facts=FACTS))
    for name, columns in (COLUMNS | ANSWER_COLUMNS).items():
        if name != OF_ALL_SOURCES:
            assert columns[-2:] == ("source_name", "vendor")
        assert ("payload_kind" in columns) == (name in WITH_PAYLOADS)
        assert tables[name]
        assert all(set(columns) <= set(one) for one in tables[name])
    assert sources(tables) == {("lake", "census")}
    assert payload_kinds(tables) == {name: {"source_record"} for name in WITH_PAYLOADS}


# A lake has the name that the settings give it, also for what earlier builds read.
def test_a_lake_with_a_name() -> None:
    named = Lake(facts=FACTS, source=replace(LAKE, name="census eu"))
    assert sources(all_of(merge(FILES, named))) == {("census eu", "census")}


# Also rows without a payload say what a payload of their source is.
def test_hightouch() -> None:
    tables = all_of_tables(replace(CHANGES, source_name="ht"))
    assert sources(tables) == {("ht", "hightouch")}
    assert payload_kinds(tables) == {name: {"model_row"} for name in WITH_PAYLOADS}
    assert None in {one["fields"] for one in tables["sync_changelog"]}


def test_the_source_of_a_history_has_its_name() -> None:
    rows = (logged("1", "a"),)
    step = SourceStep(
        {"sync_changelog": SourceTable(dict.fromkeys(rows[0], "string"), rows)}, AS_OF
    )
    history = SourceHistory("hightouch", "ht", "o", (step,))
    assert sources(expected_tables([history], 0)) == {("ht", "hightouch")}


# A key that is null is invalid. A source that has logged no such row may not log them: no rate.
def test_invalid_rate() -> None:
    (ours,) = compute_answers(lake_of(batch("1", row(None, "upsert", None))), AS_OF)[
        "sync_statistics"
    ]
    theirs, without = (
        all_of_tables(seen(logged("1", "a"), *more))["sync_statistics"][0]
        for more in ((logged("1", None, status=None),), ())
    )
    columns = ("invalid_count", "invalid_rate")
    assert [ours[column] for column in columns] == [1, 1.0]
    assert [theirs[column] for column in columns] == [1, 0.5]
    assert [without[column] for column in columns] == [0, None]
