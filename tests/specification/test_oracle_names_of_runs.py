"""Names of runs, from fact tables and the user's relation: expected values by hand."""

import pytest

from oracle.building import at
from oracle.building_names import (
    OBJECTS,
    Facts,
    given,
    history,
    names_of_run,
    rudderstack,
    writeback,
)
from oracle.history import Run
from oracle.lake import Lake
from oracle.names import AnyRow
from oracle.retention import Prune, Retained
from oracle.rows import Row
from oracle.source_history import expected_answers, expected_syncs, expected_tables, namer

NAMED: dict[str, tuple[str, Row]] = {
    "vendor's object": (OBJECTS, {"id": 1, "name": "vendor's object", "type": "no"}),
    "user's object": ("names", given("source_object", "1", "user's object", "no")),
    "user's sync": ("names", given("sync", "s", "user's sync")),
}
TYPED: dict[str, tuple[str, Row]] = {
    "vendor's type": ("destinations", {"id": "2", "name": "no", "type": "vendor's type"}),
    "user's type": ("names", given("destination", 2, "no", "user's type")),
    "sync's type": ("names", given("sync", "s", None, "sync's type")),
}


# The first name that is known counts: that of the vendor, of the user's object, of the sync.
@pytest.mark.parametrize(("texts", "position"), [(NAMED, 0), (TYPED, 1)])
def test_order_of_names_of_runs(texts: dict[str, tuple[str, Row]], position: int) -> None:
    column = ("name", "type")[position]
    left = list(texts.items())
    while left:
        for row_is_there in (False, True):
            # what came before is missing, or there without the name or type
            earlier = list(texts.values())[: len(texts) - len(left)] if row_is_there else []
            rows = [(table, row | {column: None}) for table, row in earlier]
            rows += [row for _, row in left]
            tables = {table: [row for its, row in rows if its == table] for table, _ in rows}
            names: list[AnyRow] = [row for table, row in rows if table == "names"]
            found = names_of_run(writeback(tables), 0, names)
            assert found[position] == left[0][0]
        left.pop(0)
    assert names_of_run(writeback({})) == (None, None)


# An id that nothing names, and ids of other kinds and syncs, say nothing. An empty text is a name.
def test_names_that_miss() -> None:
    tables: Facts = {OBJECTS: [{"id": 2, "name": "n"}], "destinations": [{"id": 1, "type": "t"}]}
    rows: list[AnyRow] = [
        *(given("source_object", "2", "n"), given("destination", "1", "n", "t")),
        *(given("sync", "1", "n", "t"), given("destination_object", "2", "n", "t")),
    ]
    assert names_of_run(writeback(tables), 0, rows) == (None, None)
    empty: list[AnyRow] = [given("source_object", "1", ""), given("sync", "s", "n", "t")]
    assert names_of_run(writeback({}), 0, empty) == ("", "t")


# Names are those of the last build, also for runs that the table no longer has.
def test_names_change() -> None:
    ours = writeback({}, {"sync_log": [], OBJECTS: [{"id": 1, "name": "late"}]})
    assert names_of_run(ours, 0) == (None, None)
    assert names_of_run(ours, 1) == ("late", None)
    assert names_of_run(ours, 0, [given("sync", "s", "x", "y")]) == ("x", "y")
    assert names_of_run(ours, 1, [given("sync", "s", "x", "y")]) == ("late", "y")


# What a vendor reports goes first. Runs of a lake have no names from here.
def test_reported_names_and_other_runs() -> None:
    runs: list[Row] = [
        {"sync_id": "s", "sync_run_id": "1", "model_name": "M", "destination": None},
        {"sync_id": "s", "sync_run_id": "2", "destination": "crm"},
    ]
    ours = history("hightouch", "ht", None, {"sync_changelog": [], "sync_runs": runs})
    rows: list[AnyRow] = [given("sync", "s", "x", "y")]
    other: list[Run] = rudderstack().runs_after(0)
    (theirs, sync) = sorted(
        expected_syncs([ours], 0, other_runs=other, names=rows),
        key=lambda one: one.organization_id == "ht",
    )
    found = [(run.metadata.model_name, run.metadata.destination_type) for run in sync.runs]
    assert found == [("M", "y"), ("x", "crm")]
    assert theirs.runs == tuple(other)


# Everything that comes from the name of a model or the destination follows.
def test_what_follows() -> None:
    rows: list[AnyRow] = [given("sync", "s", "People", "crm")]
    tables = expected_tables([rudderstack()], 0, names=rows)
    (membership,) = tables["audience_memberships"]
    assert membership["audience_name"] == "People"
    answers = expected_answers([rudderstack()], 0, names=rows)
    (statistics,) = answers["sync_statistics"]
    assert (statistics["model_name"], statistics["destination"]) == ("People", "crm")
    assert answers["audience_members"][0]["audience_name"] == "People"
    assert answers["audience_events"][0]["audience_name"] == "People"


# Names that come after a prune are those of the pruned run, too.
def test_names_of_pruned_runs() -> None:
    ours = writeback({}, {"sync_log": [], OBJECTS: [{"id": 1, "name": "late", "type": "t"}]})
    names: list[AnyRow] = [given("sync", "s", "no", "crm")]
    retained = Retained()
    found = []
    for step in range(2):
        retained = retained.built(
            Lake(),
            at(9_000),
            other_runs=ours.runs_after(step),
            named=namer([ours], step, names[:step]),
        )
        retained = retained.after_prune(Prune(now=at(9_000), retention_days=1))
        (row,) = retained.tables()["sync_runs"]
        found.append((row["is_pruned"], row["model_name"], row["destination"]))
    assert found == [(True, None, None), (True, "late", "crm")]
    (statistics,) = retained.answers()["sync_statistics"]
    assert (statistics["model_name"], statistics["destination"]) == ("late", "crm")
