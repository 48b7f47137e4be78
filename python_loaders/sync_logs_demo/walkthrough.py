"""`make demo`: write logs of two vendors, build them and print answers, all in one Spark."""

import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from dbt_sync_logs import class_archive
from dbt_sync_logs.runner import (
    PROJECT,
    compiled_queries,
    dbt,
    first_failure,
    schema,
    session,
)

MORE_RUNS = 2
# rows of each answer
MOST_ROWS = 8
# the exit code of shells after Ctrl-C
INTERRUPTED = 130
ANSWERS = {
    "most_common_error_by_sync": "Most common error by sync",
    "latest_audience_events": "Latest entries and exits of an audience",
    "run_health": "Run health",
}
TWO_VENDORS = {"logs_by_vendor": "Two vendors in one set of tables"}
HIGHTOUCH_FOLDER = "demo_hightouch"
SOURCES_FILE = "demo_sources.json"
# why the demo makes some data tests warn
MEANT = {
    "assert_new_runs_are_logged_in_full": " (as it should: the demo leaves rows out of one log)",
}


def main() -> int:
    """Run the demo; returns the exit code. Failures are one line each."""
    home = Path(os.environ.setdefault("SYNC_LOGS_HOME", ".sync_logs")).absolute()
    # the demo has its own Spark, even if the shell is set up for a server
    os.environ.pop("SYNC_LOGS_TARGET", None)
    os.environ.pop("SPARK_REMOTE", None)
    lake = home / "demo_lake"
    os.environ["SYNC_LOGS_LAKE_PATH"] = str(lake)
    os.environ.setdefault("DBT_PROFILES_DIR", str(PROJECT / "profiles"))
    started = time.monotonic()
    try:
        variables = _write_logs(lake)
        _build(variables)
        _answer(variables)
    except DemoError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ndemo: stopped. Run it again to continue from what is there.", file=sys.stderr)
        return INTERRUPTED
    _say_what_next(home, time.monotonic() - started)
    return 0


class DemoError(Exception):
    """The demo cannot continue; the message says why and what to do."""


def _write_logs(lake: Path) -> dict[str, object]:
    """Write the logs of both vendors; returns the dbt variables that name them."""
    from dbt_common.exceptions import DbtBaseException

    from sync_logs_demo import hightouch
    from sync_logs_demo.lake import write_demo_lake
    from sync_logs_loader.errors import SyncLogsLoaderError

    print(f"1/3 Logs of Census, a lake: {lake}", flush=True)
    try:
        spark = session()
        more_runs = MORE_RUNS if lake.exists() else 0
        summary = write_demo_lake(spark, str(lake), more_runs)
    except (SyncLogsLoaderError, DbtBaseException) as error:
        raise DemoError(getattr(error, "msg", str(error))) from None
    print(
        f"    {summary.runs_written} new runs with {summary.records_written:,} records "
        f"({summary.run_count} runs of {summary.sync_count} syncs in all)"
    )
    folder = lake.with_name(HIGHTOUCH_FOLDER)
    print(f"    Logs of Hightouch, two tables: {folder}", flush=True)
    runs = hightouch.write_hightouch_tables(folder, hightouch.run_count_beside(summary.last_run))
    moved = hightouch.MOVED_SYNC
    print(
        f"    {len(runs)} runs with {sum(len(run.logged_rows) for run in runs):,} records of "
        f"one sync, which was {moved.sync_id} of {moved.organization_id} on Census\n"
    )
    variables: dict[str, object] = {"sync_logs_sources": hightouch.sources(lake, folder)}
    lake.with_name(SOURCES_FILE).write_text(json.dumps(variables) + "\n", encoding="utf-8")
    return variables


def _build(variables: dict[str, object]) -> None:
    print("2/3 dbt build", flush=True)
    progress = Progress()
    outcome = dbt("build", callbacks=[progress.show], variables=variables)
    progress.close()
    _stop_if_interrupted(outcome)
    if not outcome.success:
        raise DemoError(f"the build failed: {first_failure(outcome)} See logs/dbt.log.")


def _stop_if_interrupted(outcome: Any) -> None:
    if isinstance(outcome.exception, KeyboardInterrupt):
        raise outcome.exception


def _answer(variables: dict[str, object]) -> None:
    print("3/3 Answers\n", flush=True)
    answers = ANSWERS | TWO_VENDORS
    paths = [f"path:analyses/{name}.sql" for name in answers]
    compiled = dbt("compile", "--select", *paths, variables=variables)
    _stop_if_interrupted(compiled)
    if not compiled.success:
        raise DemoError(f"the queries do not compile: {first_failure(compiled)}")
    queries = compiled_queries(compiled)
    for name, title in answers.items():
        _print_query(title, queries[name])
    _print_query(
        "What this build and those before it read and computed (the last rows of sync_loads)",
        "select started_at, new_file_count, landed_record_count, run_count, replayed_run_count, "
        f"round(duration_seconds) as seconds from `{schema()}`.sync_loads order by started_at desc",
    )


def _print_query(title: str, query: str) -> None:
    from pyspark.sql import SparkSession

    from dbt_sync_logs.text_table import text_table

    frame = SparkSession.builder.getOrCreate().sql(query)
    print(f"{title}\n\n{text_table(frame.columns, frame.limit(MOST_ROWS).collect())}\n")


class Progress:
    """A line per built table, and one that counts the tests."""

    def __init__(self) -> None:
        self._passed = 0
        self._warned: list[str] = []

    def show(self, event: Any) -> None:
        """Print the dbt events that matter to a user; most events are left out."""
        if event.info.name == "LogModelResult":
            data = event.data
            print(
                f"    {data.index:>3} of {data.total}  {data.execution_time:5.1f} s  "
                f"{data.node_info.node_name}",
                flush=True,
            )
        elif event.info.name == "LogTestResult" and event.data.status == "pass":
            self._passed += 1
        elif event.info.name == "LogTestResult" and event.data.status == "warn":
            self._warned.append(event.data.node_info.node_name)

    def close(self) -> None:
        """Print the count of tests, and the names of those that warn."""
        told = [name + MEANT.get(name, "") for name in self._warned]
        warned = f", with a warning: {', '.join(told)}" if told else ""
        print(f"    {self._passed} data tests passed{warned}\n", flush=True)


def _say_what_next(home: Path, seconds: float) -> None:
    is_elsewhere = home != PROJECT / ".sync_logs"
    export = f"; export SYNC_LOGS_HOME={shlex.quote(str(home))}" if is_elsewhere else ""
    file = shlex.quote(str(home / SOURCES_FILE if is_elsewhere else f".sync_logs/{SOURCES_FILE}"))
    print(f"""Done in {seconds:.0f} seconds.
The tables are in the schema {schema()} of the catalog in {home}.
Next:
  make serve                                shows them in a browser
  make demo                                 adds a few runs; only they are computed
  source .venv/bin/activate; export DBT_PROFILES_DIR=profiles{export}
  dbt show --select sync_changelog          shows a table
  dbt build --vars "$(cat {file})"
                                            builds again; without --vars, it reads only the lake
  SYNC_LOGS_HOME=my_home SYNC_LOGS_LAKE_PATH=/path/of/your/lake dbt build""")


if __name__ == "__main__":
    with class_archive.left_behind():
        code = main()
        if code == INTERRUPTED:
            # the threads of the build would continue for a while, and there is nothing left to do
            sys.stderr.flush()
            os._exit(code)
        if code:
            sys.exit(code)
