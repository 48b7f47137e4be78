"""A state of an older version is migrated; a state of a newer version stops dbt with one line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builds.former_states import NOW, check, stored_load, tables_of
from conftest import Warehouse
from helpers.old_state import commit, restore, unpack
from helpers.retained_warehouse import variables
from oracle import Step, apply_step, merge, read_lake
from oracle.building import sent
from oracle.writing import parquet

NEW_RUN = parquet(sent("1", 350, "a", organization="new"))


@pytest.fixture
def old(warehouse: Callable[[], Warehouse], home: Path, tmp_path: Path) -> Warehouse:
    """A warehouse as version 1 left it."""
    built = warehouse()
    unpack(tmp_path)
    # dbt starts the catalog of the process
    assert built.operation("sync_logs_doctor"), built.failures()
    restore(built.schema, home, tmp_path)
    return built


def test_a_build_migrates_an_old_state_and_leaves_a_newer_one_alone(old: Warehouse) -> None:
    # the lake has a different path, as in a copied warehouse
    assert not old.operation("sync_logs_compact", variables(NOW))
    assert "Run `dbt build` once, which migrates it" in old.failures()

    # the model that should have read these files may have failed, so they are read once more
    faulty = [
        row
        for row in old.rows("int_files__landed", "_state")
        if row["load_id"] == stored_load(old) and row["issue"] and row["file_kind"] != "other"
    ]
    assert faulty
    before = read_lake(old.lake)
    apply_step(old.lake, Step((NEW_RUN,), (), NOW))
    assert old.dbt("run", variables=variables(NOW)), old.failures()
    check(old, merge(before, read_lake(old.lake)))
    # a table that only older versions have is dropped once this version has committed
    assert "int_outcomes__final" not in tables_of(old)
    (load,) = [row for row in old.rows("sync_loads") if row["new_file_count"] == 1]
    assert load["changed_file_count"] == len(faulty)
    assert load["landed_record_count"] == 1 + sum(row["record_count"] or 0 for row in faulty)

    assert old.operation("sync_logs_compact", variables(NOW)), old.failures()
    check(old, read_lake(old.lake))
    assert old.operation("sync_logs_collect", keep_previous=False), old.failures()
    check(old, read_lake(old.lake))
    assert old.dbt("run", "--full-refresh", variables=variables(NOW)), old.failures()
    check(old, read_lake(old.lake))

    commit(old.schema, "'a_load' as load_id, 99 as schema_version")
    assert not old.dbt("run", variables=variables(NOW))
    assert "was written by a newer sync_logs (version 99 of the state" in old.failures()
