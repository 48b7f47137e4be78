"""`make docs`: build fresh logs of the demo, run every example and write the pages."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dbt_sync_logs.runner import (
    PROJECT,
    compiled_queries,
    dbt,
    first_failure,
    session,
)
from scripts.pages import (
    all_pages,
    analyses_of,
    doctor_output,
    output_of,
    prune_output,
    tables_of,
)
from sync_logs_demo.hightouch import run_count_beside, sources, write_hightouch_tables
from sync_logs_demo.lake import write_demo_lake

DOCS = PROJECT / "docs"
# later than the logs of the demo, so that the outputs do not depend on the clock
AS_OF = "2026-10-20T00:00:00Z"
# some runs of the demo are older than 40 days then
PRUNED_AT = "2026-11-20T12:00:00Z"


def main() -> int:
    """Write all pages; returns the exit code."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ |= {
            "SYNC_LOGS_HOME": str(home),
            "SYNC_LOGS_LAKE_PATH": str(home / "demo_lake"),
            "SYNC_LOGS_SCHEMA": "sync_logs",
            "DBT_PROFILES_DIR": str(PROJECT / "profiles"),
        }
        spark = session()
        print("docs: writing and building the logs of the demo ...", flush=True)
        lake, tables = home / "demo_lake", home / "demo_hightouch"
        summary = write_demo_lake(spark, str(lake))
        write_hightouch_tables(tables, run_count_beside(summary.last_run))
        as_of = {"sync_logs_as_of": AS_OF}
        both_vendors = as_of | {"sync_logs_sources": sources(lake, tables)}
        # the pages show the models of a project without that setting
        for command, variables in (
            (["run"], both_vendors),
            (["compile", "--select", "path:analyses"], as_of),
        ):
            target = ["--target-path", str(home / "target")]
            outcome = dbt(*command, *target, variables=variables)
            if not outcome.success:
                print(f"docs: dbt {command[0]} failed: {first_failure(outcome)}", file=sys.stderr)
                return 1
        queries = compiled_queries(outcome)
        manifest = json.loads((home / "target" / "manifest.json").read_text())
        operations = operations_shown(lambda *command, **options: dbt(*command, *target, **options))
        _write(manifest, queries, operations, spark)
        spark.stop()
    return 0


def operations_shown(run: Callable[..., Any]) -> dict[str, str]:
    """What the commands of the page on operations print, by its first word."""
    at = {"sync_logs_as_of": PRUNED_AT}
    prune = printed(run, "prune_sync_logs", "--args", "{retention_days: 40}", variables=at)
    return {
        "Engine": doctor_output(printed(run, "sync_logs_doctor")),
        "Would": prune_output(prune),
    }


def printed(
    run: Callable[..., Any],
    operation: str,
    *arguments: str,
    variables: Mapping[str, object] | None = None,
) -> list[str]:
    """Run an operation; returns the lines that it prints."""
    said: list[str] = []

    def hear(event: Any) -> None:
        if event.info.name == "JinjaLogInfo":
            said.append(str(event.data.msg))

    outcome = run("run-operation", operation, *arguments, callbacks=[hear], variables=variables)
    if not outcome.success:
        raise RuntimeError(f"{operation}: {first_failure(outcome)}")
    return said


def _write(
    manifest: Mapping[str, Any],
    queries: Mapping[str, str],
    operations: Mapping[str, str],
    spark: Any,
) -> None:
    examples = {table.name: output_of(spark, table.example) for table in tables_of(manifest)}
    answers = {one.name: output_of(spark, queries[one.name]) for one in analyses_of(manifest)}
    pages = all_pages(PROJECT, manifest, examples, answers, operations)
    (DOCS / "tables").mkdir(exist_ok=True)
    for path in set((DOCS / "tables").glob("*.md")) - {DOCS / name for name in pages}:
        path.unlink()
    for name, text in pages.items():
        (DOCS / name).write_text(text)
    print(f"docs: {len(pages)} pages written.")


if __name__ == "__main__":
    sys.exit(main())
