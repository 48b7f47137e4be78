"""Prunes, purges and sync settings, compared with the independent computation of the tables."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.added_table import check_added_table, loads_of_added_table
from helpers.growing_warehouse import loads_on_disk, times
from helpers.project import FILE_FORMAT
from helpers.random_histories import ManyHistories, many_histories
from helpers.retained_warehouse import (
    Pair,
    files_holding,
    leave_unfinished,
    settings_query,
    variables,
)
from helpers.sensitive_project import states_from_both
from oracle import Step, write_file
from oracle.building import sent
from oracle.retention import (
    COLUMNS,
    Prune,
    Purge,
    Retained,
    Settings,
    SyncSettings,
    run_key_of,
)
from oracle.writing import LakeFile, ParquetFile, parquet

SEEDS = range(300, 308)
ORDERLY = range(620, 623)
AS_OF = times(5)
# Has what could get lost on the way: quotes, a backslash, a variable, non-ASCII, a space.
PERSON = "Jö o'brien\\\"${a}@example.com "
STILL_TO_COME = "not yet there"
OWN = "own"
# An organisation of which a dry run must list one sync: 2 runs with 4 records, up to run 72.
TOLD = "told"


@pytest.fixture
def histories() -> ManyHistories:
    return many_histories(SEEDS, AS_OF, orderly=ORDERLY)


def test_pruned_and_purged_histories_match_the_specification(
    warehouse: Callable[[str], Warehouse],
    histories: ManyHistories,
    home: Path,
    sensitive_project: Path,
) -> None:
    steps = histories.steps
    # other tests use this schema name too, so dbt has already parsed the project for it
    pair = Pair(replace(warehouse("stepwise"), project=sensitive_project))
    own = (run("1", 10, PERSON, "b"), run("2", 80, PERSON))
    pair.build(with_own(steps[0], *own, *runs_to_tell()), "run")
    assert files_holding(home / "warehouse", PERSON) != []

    first = Prune(steps[0].as_of, retention_days=0.03125)
    pair.dry_run(first)
    check_lines(pair, first)
    check_wrong_arguments(pair, first)
    pair.compare(COLUMNS)
    pair.prune(first)
    first_pruned = set(pair.retained.pruned)
    assert (OWN, "s", "1") in first_pruned
    pair.build(with_own(steps[1], run("3", 150, PERSON, "c"), run("0", 5, PERSON)), "run")
    assert pair.retained.too_late != ()
    assert changed(first_pruned, steps[1]) > 10

    assert states_from_both(pair.warehouse.schema) > 2
    pair.prune(Prune(steps[1].as_of, retention_days=0.0625))
    assert len(pair.retained.pruned) > len(first_pruned)
    pair.build(steps[2], "run", "--full-refresh")
    assert changed(set(pair.retained.pruned), steps[2]) > 10

    if FILE_FORMAT == "parquet":
        leave_unfinished(home / "warehouse", PERSON)
    store_failures(pair, PERSON)
    pair.purge(Purge(OWN, PERSON))
    assert files_holding(home / "warehouse", PERSON) == []
    pair.purge(old_member(pair.retained, "a"))
    check_purges_of_nothing(pair)
    pair.purge(Purge(OWN, STILL_TO_COME), in_advance=True)
    last = run("4", 350, PERSON, STILL_TO_COME, "d")
    pair.build(with_own(steps[3], run("2", 80, PERSON), last), "run")

    settings = some_settings(pair.retained)
    relation = relation_of(pair.warehouse, settings)
    pair.build(
        with_own(steps[4], run("3", 151, "c", PERSON)),
        *("build", "--full-refresh"),
        settings=settings,
        settings_relation=relation,
    )
    by_settings = Prune(steps[4].as_of)
    assert len(pair.retained.runs_to_prune(by_settings)) == 1
    pair.prune(by_settings, settings=settings, settings_relation=relation)

    there, named = loads_of_added_table(pair.warehouse.schema)
    assert there - named != set()
    pair.collect()
    there, named = loads_of_added_table(pair.warehouse.schema)
    assert there - named == set()
    check_added_table(pair.warehouse.schema)
    assert files_holding(home / "warehouse", PERSON) == []
    assert files_holding(home / "warehouse", STILL_TO_COME) == []
    assert pair.warehouse.dbt("test", "--select", "tag:full_scan"), pair.warehouse.failures()
    # last, because the tables read the current settings
    check_unsound_settings(pair, by_settings, relation)


def check_purges_of_nothing(pair: Pair) -> None:
    """A purge that finds nothing is refused and changes nothing; repeating a purge is allowed."""
    known = loads_on_disk(pair.warehouse), recorded(pair)
    for arguments in (
        {"organization_id": OWN, "identifier": STILL_TO_COME},
        {"organization_id": OWN, "identifier": "c", "sync_id": "nowhere"},
        # differs by one character
        {"organization_id": OWN, "identifier": PERSON.strip()},
    ):
        assert not pair.warehouse.operation("purge_record", **arguments)
        said = "\n".join(pair.warehouse.said)
        assert "No table holds this identifier of " in said or "No run of sync nowhere" in said
        assert "Jö" not in said
    again = {"organization_id": OWN, "identifier": PERSON}
    assert pair.warehouse.operation("purge_record", **again), pair.warehouse.failures()
    assert any("is kept out already" in line for line in pair.warehouse.said)
    assert (loads_on_disk(pair.warehouse), recorded(pair)) == known


def store_failures(pair: Pair, identifier: str) -> None:
    """Let a test of dbt store its failing rows, and add one that holds the identifier."""
    test = "assert_delivered_rows_are_open_memberships"
    assert pair.warehouse.dbt("test", "--select", test, "--store-failures")
    stored = f"{pair.warehouse.schema}_dbt_test__audit.{test}"
    session = SparkSession.builder.getOrCreate()
    row = [identifier, *[None] * (len(session.table(stored).columns) - 1)]
    found = session.createDataFrame([tuple(row)], session.table(stored).schema)
    found.write.insertInto(stored)
    assert session.table(stored).count() == 1


def recorded(pair: Pair) -> list[dict[str, Any]]:
    """The rows of sync_loads in the order of their loads: those of Iceberg have none."""
    return sorted(pair.warehouse.rows("sync_loads"), key=lambda load: str(load["load_id"]))


def check_unsound_settings(pair: Pair, prune: Prune, relation: str) -> None:
    """Each issue is in a table that a failing or warning test names; unsound ones stop a prune."""
    session = SparkSession.builder.getOrCreate()
    session.sql(f"""
        create or replace view {relation} as
        select
            '{OWN}' as organization_id, 's' as sync_id, 'true' as is_active,
            'maybe' as keep_changelog, 'true' as keep_snapshot, 'true' as keep_runs,
            '0' as retention_days
        union all select '{OWN}', 'nowhere', null, null, null, null, null""")
    given = variables(prune.now, relation)
    tests = "assert_sync_settings_are_sound", "assert_sync_settings_are_of_known_syncs"
    assert not pair.warehouse.dbt("test", "--select", *tests, variables=given)
    outcome = {one.node.name: str(one.status) for one in pair.warehouse.results}
    assert [outcome[test] for test in tests] == ["fail", "warn"]
    pointers = [line for line in pair.warehouse.said if "see stepwise.sync_settings_issues" in line]
    assert sorted(line.split(":")[0] for line in pointers) == sorted(tests)
    shown = ("sync_id", "setting_name", "given_value", "issue", "is_unsound")
    issues = pair.warehouse.rows("sync_settings_issues")
    found = [tuple(row[name] for name in shown) for row in issues]
    assert sorted(found) == [
        ("nowhere", "sync_id", "nowhere", "no such sync", False),
        ("s", "keep_changelog", "maybe", "neither true nor false", True),
    ]
    assert not pair.warehouse.operation("prune_sync_logs", given, dry_run=False)
    said = "\n".join(pair.warehouse.said)
    assert "so nothing was pruned: keep_changelog of organisation own" in said
    assert "keep_changelog of organisation own, sync s is wrong (neither true nor false)" in said


def with_own(step: Step, *files: LakeFile) -> Step:
    """A step that also writes files of our own organisation."""
    return replace(step, writes=(*step.writes, *files))


def runs_to_tell() -> tuple[LakeFile, ...]:
    """Two runs before the cutoff of the first prune, one after it, and a sync with none before."""
    early = (run("71", 1, "a", "b", "c", of=TOLD), run("72", 2, "b", of=TOLD))
    return (*early, run("73", 90, "b", of=TOLD), run("81", 90, "a", of=TOLD, sync="t"))


def run(
    sync_run_id: str, minute: int, *identifiers: str, of: str = OWN, sync: str = "s"
) -> ParquetFile:
    """A run of our own sync that upserts some records, all in one minute."""
    place = {"organization": of, "sync": sync}
    return parquet(sent(sync_run_id, minute, *identifiers, payload='{"n": 1}', **place))


def changed(pruned: set[tuple[str, str, str]], step: Step) -> int:
    """How many files of pruned runs a step writes or deletes."""
    paths = [*(file.path for file in step.writes), *step.deletes]
    return sum(tuple(path.split("/")[1:4]) in pruned for path in paths)


def check_lines(pair: Pair, prune: Prune) -> None:
    """A dry run prints one line for each sync and does not mention any record."""
    said = "\n".join(pair.warehouse.said).splitlines()
    assert not any("brien" in line for line in said)
    told = [line for line in said if TOLD in line]
    assert len(told) == 1
    assert all(fact in told[0].replace("=", " ") for fact in (TOLD, "s", "2", "4", "72"))
    for (organization_id, sync_id), runs in pair.retained.runs_to_prune(prune).items():
        facts = (
            *(organization_id, sync_id, str(len(runs)), runs[-1].sync_run_id),
            str(sum(len(one.attempts) for one in runs)),
        )
        lines = [line for line in said if all(fact in line for fact in facts)]
        assert lines != [], (facts, said)


def old_member(retained: Retained, identifier: str) -> Purge:
    """A purge from one sync of a record that entered in a pruned run."""
    for row in retained.tables()["audience_memberships"]:
        entered = run_key_of(row | {"sync_run_id": row["entered_sync_run_id"]})
        if row["row_id"] == identifier and entered in retained.pruned:
            return Purge(entered[0], identifier, entered[1])
    raise AssertionError(f"no record {identifier} from pruned history")


def some_settings(retained: Retained) -> Settings:
    """Settings of the syncs with most to prune: the first is inactive, the second is pruned."""
    everything = retained.runs_to_prune(Prune(AS_OF[-1], retention_days=0.01))
    keys = sorted(everything, key=lambda key: (-len(everything[key]), key))
    assert len(keys) >= 5
    return (
        SyncSettings(*keys[0], is_active=False, retention_days=0.01),
        SyncSettings(*keys[1], keep_changelog=False, retention_days=0.01),
        SyncSettings(*keys[2], keep_changelog=False),
        SyncSettings(*keys[3], keep_snapshot=False),
        SyncSettings(*keys[4], keep_runs=False, keep_snapshot=False),
    )


def relation_of(built: Warehouse, settings: Settings) -> str:
    """Put the settings where a user of the package puts them: in their own relation."""
    session = SparkSession.builder.getOrCreate()
    schema = f"{built.schema}_of_user"
    session.sql(f"create schema if not exists {schema}")
    session.sql(f"create or replace view {schema}.settings as {settings_query(settings)}")
    return f"{schema}.settings"


WRONG_ARGUMENTS: list[tuple[str, dict[str, object], str]] = [
    ("prune_sync_logs", {"dry_run": False, "retention_days": -1}, "retention_days"),
    ("prune_sync_logs", {"dry_run": False, "retention_days": "soon"}, "retention_days"),
    ("prune_sync_logs", {"dry_run": "maybe", "retention_days": 0}, "dry_run"),
    (
        "prune_sync_logs",
        {"dry_run": False, "retention_days": 0, "organization_id": "nobody"},
        "nobody",
    ),
    ("purge_record", {"organization_id": "nobody", "identifier": PERSON}, "nobody"),
]


def check_wrong_arguments(pair: Pair, prune: Prune) -> None:
    """Each of them is refused, with a line that names what is wrong."""
    for macro, arguments, named in WRONG_ARGUMENTS:
        ended_well = pair.warehouse.operation(macro, variables(prune.now), **arguments)
        assert not ended_well, arguments
        said = "\n".join(pair.warehouse.said)
        # dbt adds the macros on the way to the error, each after a `>`
        clear = [line for line in said.splitlines() if named in line and ">" not in line]
        assert clear != [], (arguments, said)
        assert "Traceback" not in said
        assert "\tat " not in said


def test_the_check_of_files_finds_texts(tmp_path: Path) -> None:
    write_file(tmp_path, run("1", 1, "a", PERSON))
    assert len(files_holding(tmp_path, PERSON)) == 1
    assert files_holding(tmp_path, PERSON.strip()) == []
