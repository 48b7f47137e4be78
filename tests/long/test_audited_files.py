"""Builds with faulty files: the audit of the lake finds each of them until it is fixed."""

import re
from collections.abc import Callable

from pyspark.sql import SparkSession

from builds.audited_lake import FINDINGS, RUN, batch, findings_of, write_lake
from conftest import Warehouse

LEAVES = ["assert_every_file_is_readable", "assert_no_file_is_empty"]
WARNS = "assert_no_file_is_hidden"
HIDDEN = f"{RUN}/_records.0.parquet"


def test_each_bad_file_is_found_until_it_is_fixed(
    warehouse: Callable[[], Warehouse],
) -> None:
    built = warehouse()
    write_lake(built.lake)

    assert not built.dbt("build")
    assert built.failed() == LEAVES, built.failures()
    assert findings_of(built) == sorted(FINDINGS)
    assert WARNS in {one.node.name for one in built.results if str(one.status) == "warn"}
    issues = {row["relative_path"]: row for row in built.rows("lake_file_issues")}
    # one row for each wrong file, in one table
    beside = f"{RUN}/notes.txt"
    assert set(issues) == {path for path, *_ in FINDINGS} | {beside}
    assert (issues[beside]["issue"], issues[beside]["reason"]) == ("outside the layout", None)
    empty = issues[f"{RUN}/notes é,.txt"]
    assert (empty["organization_id"], empty["sync_id"], empty["sync_run_id"]) == (
        "org",
        "sync 1",
        "run+1",
    )
    assert empty["remedy"].startswith("Not part of the layout")
    assert {row["file_name"] for row in built.rows("sync_records")} == {
        "good.1.parquet",
        "good.2.parquet",
    }

    # both lines count the same files: 5 batches that Spark can list, a note and a fact file
    assert built.operation("sync_logs_doctor"), built.failures()
    files = [line for line in built.said if line.startswith("  files")]
    counts = [re.split(r" {2,}", line.strip())[1] for line in files]
    assert counts[0].startswith("7, "), files
    assert counts[1].startswith("7 (5 batches, 0 metadata.json, 1 facts, 1 beside"), files
    assert int(counts[2]) == len(issues)

    # with the audit off, everything else is built; views of older versions are dropped
    session = SparkSession.builder.getOrCreate()
    former = [f"{built.schema}.{name}" for name in ("lake_file_audit", "sync_calendar")]
    for view in former:
        session.sql(f"create view {view} as select 1 as one")
    batch(["d"], built.lake / RUN / "good.3.parquet")
    assert not built.dbt("build", variables='{"sync_logs_python_models": false}')
    assert built.failed() == ["assert_every_file_is_readable"], built.failures()
    names = {one.node.name for one in built.results}
    assert not names & {"int_files__audited", LEAVES[1], WARNS}
    assert len(built.rows("sync_records")) == 5
    assert [view for view in former if session.catalog.tableExists(view)] == []
    readable = {path for path, _, issue, *_ in FINDINGS if issue != "empty file"} - {HIDDEN}
    unexplained = {row["relative_path"]: row for row in built.rows("lake_file_issues")}
    assert set(unexplained) == {*readable, beside}
    assert {(row["reason"], row["detail"]) for row in unexplained.values()} == {(None, None)}

    # a build that reads no file still reports what is wrong
    assert not built.dbt("build")
    assert findings_of(built) == sorted(FINDINGS)

    for path, kind, *_ in FINDINGS:
        if kind == "batch":
            batch(["c"], built.lake / path)
        else:
            (built.lake / path).unlink()
    assert built.dbt("build"), built.failures()
    assert findings_of(built) == []
