"""Questions to the tables in the project's Spark: seconds, and bytes read."""

import json
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from dbt_sync_logs.runner import compiled_queries, dbt
from scripts.bench.lakes import show_lake
from sync_logs_demo.walkthrough import ANSWERS

VIEWS = Path(__file__).with_name("views.sql")
TIMES = 3
LOAD_ID = re.compile(r"\d{8}T\d{12}_[0-9a-f]{8}")
STORED_ANSWERS = (
    *("sync_runs", "sync_statistics", "sync_activity_daily"),
    *("errors_by_sync", "errors_by_category"),
)


def seconds_of(job: Callable[[], object], times: int = TIMES) -> float:
    """The median time of a job, after one run that is not timed."""
    job()
    return median(seconds_of_one(job) for _ in range(times))


def seconds_of_one(job: Callable[[], object]) -> float:
    """The time of one run of a job, even if it is the first run."""
    began = time.monotonic()
    job()
    return time.monotonic() - began


def our_questions(target: Path) -> list[str]:
    """The headline questions of the demo, as queries on our tables."""
    paths = [f"path:analyses/{name}.sql" for name in ANSWERS]
    compiled = compiled_queries(dbt("compile", "--select", *paths, "--target-path", str(target)))
    return [compiled[name] for name in ANSWERS]


def questions_to_views(spark: Any, lake: Path) -> list[str]:
    """Create views on the logs, and return the same questions as queries on the views."""
    show_lake(spark, lake)
    queries = []
    for statement in VIEWS.read_text().split(";\n"):
        if "create or replace" in statement:
            spark.sql(statement)
        elif statement.strip():
            queries.append(statement)
    return queries


def answers_computed(spark: Any, target: Path) -> list[str]:
    """The queries whose answers a build stores, for the committed load."""
    (load_id,) = spark.table("sync_logs_state.sync_load_current").select("load_id").first()
    nodes = json.loads((target / "manifest.json").read_text())["nodes"].values()
    return [
        LOAD_ID.sub(load_id, node["compiled_code"])
        for node in nodes
        if node["config"]["meta"].get("state", {}).get("in_operations") == "computed"
    ]


def ask(spark: Any, queries: Sequence[str]) -> None:
    """Run queries and fetch all rows."""
    for query in queries:
        spark.sql(query).collect()


def bytes_read(spark: Any, query: str) -> int:
    """The bytes that Spark reads from the system while a query runs; its rows are not fetched.

    Spark's own metrics miss what parquet reads ahead in its own threads. Needs Linux.
    """
    process = spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid()
    counters = Path(f"/proc/{process}/io")
    found = []
    # the first run also reads classes
    for _ in range(2):
        before = _read_so_far(counters)
        spark.sql(query).write.format("noop").mode("overwrite").save()
        found.append(_read_so_far(counters) - before)
    return min(found)


def _read_so_far(counters: Path) -> int:
    return int(counters.read_text().split()[1])
