"""Checks on a Spark Connect server, in their own process, because Spark requires that."""

import sys
import threading
from pathlib import Path

from pyspark.sql import SparkSession

from builds import python_model_project
from builds.audited_lake import FINDINGS, findings_of, write_lake
from conftest import Warehouse
from helpers.killed_builds import wait_for_start
from sync_logs_viewer.questions import RecordFilters, Run, catalog
from sync_logs_viewer.warehouse import ThriftWarehouse, connect_warehouse
from sync_logs_viewer.warehouse.notes import running_at


def main(folder: Path, home: Path) -> None:
    """Build and check the whole project, then the small one with failing Python models."""
    built = Warehouse("on_connect", folder / "lake", folder / "target")
    write_lake(built.lake)
    assert not built.dbt("build")
    expected = ["assert_every_file_is_readable", "assert_no_file_is_empty"]
    assert built.failed() == expected, built.failures()
    assert findings_of(built) == sorted(FINDINGS)
    assert len(built.rows("sync_records")) == 4

    _look(built, home)
    _start_another_in_the_middle(built)

    project = python_model_project.write_project(folder / "project")
    small = Warehouse("small_on_connect", built.lake, folder / "small_target", project)
    python_model_project.check(small)


def _look(built: Warehouse, home: Path) -> None:
    """Spark Connect and Thrift on one server give the viewer the same answers."""
    spark = running_at(home)
    assert spark is not None, "make serve left no note"
    connect = connect_warehouse(spark.remote, built.schema)
    thrift = ThriftWarehouse("127.0.0.1", spark.thrift_port, "viewer", built.schema)
    run = next(row for row in built.rows("sync_runs") if row["record_count"])
    named = Run(*(run[name] for name in ("organization_id", "sync_id", "sync_run_id")))
    about = RecordFilters(status="Success")
    for query in (
        *(catalog.last_build(), catalog.syncs(), catalog.run(named), catalog.file_issues(9)),
        *(catalog.record_counts(named, about, False), catalog.errors(None, None, 9)),
        catalog.records(named, about, None, 9, False, None),
    ):
        by_connect, by_thrift = connect.ask(query).to_pylist(), thrift.ask(query).to_pylist()
        assert by_thrift == by_connect, query
    rows = [row for some in connect.stream(query) for row in some]
    assert rows == by_connect
    assert rows == [row for some in thrift.stream(query) for row in some]
    assert rows


def _start_another_in_the_middle(built: Warehouse) -> None:
    """A build stops at its commit if another one has replaced the views of one build."""
    published = built.rows("sync_load_current", "_state")
    # the thread must not see the lines of the build before
    built.said = []
    other = threading.Thread(target=_note_another, args=(built,))
    other.start()
    assert not built.dbt("run", "--full-refresh")
    other.join()
    told = "Another build of on_connect has started in the meantime (load of_another)"
    assert told in built.failures()
    assert built.rows("sync_load_current", "_state") == published
    assert built.dbt("run", "--full-refresh"), built.failures()
    assert built.rows("sync_load_current", "_state") != published


def _note_another(built: Warehouse) -> None:
    wait_for_start(built, "int_changelog__built", seconds=120)
    # at once: `create or replace` drops the view first, and a model would not find it
    SparkSession.builder.getOrCreate().sql(
        "alter view on_connect_state.sync_load_building as "
        "select 'of_another' as load_id, current_timestamp() as as_of, '' as kept_load_id"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
