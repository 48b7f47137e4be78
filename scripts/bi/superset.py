"""Fills an Apache Superset through its REST API: a connection, and a dataset and a chart per table.

Then it queries each chart's data, as a browser would, to make sure that Spark answers. Raises
RuntimeError with Superset's message.
"""

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from dbt_sync_logs.runner import schema

ORIGIN = "http://127.0.0.1:8088"
SECONDS_TO_START = 180
SCHEMA = schema()
THRIFT_PORT = os.environ.get("SYNC_LOGS_THRIFT_PORT") or "10000"


@dataclass(frozen=True)
class Chart:
    """A chart on a table: the sum of one column by another."""

    table: str
    title: str
    measure: str
    by: str


CHARTS = (
    Chart("sync_statistics", "Open errors by sync", "open_record_count", "sync_id"),
    Chart("errors_by_sync", "Records refused by category", "record_count", "category"),
    Chart("sync_activity_daily", "Records sent by day", "succeeded_count", "activity_date"),
    Chart("sync_runs", "Records logged by sync", "record_count", "sync_id"),
    Chart("errors_by_category", "Open errors by category", "open_record_count", "category"),
)


class Superset:
    """A session of the REST API."""

    def __init__(self) -> None:
        self._token: str | None = None

    def log_in(self) -> None:
        """Wait until Superset answers, then log in."""
        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                who = {"username": "admin", "password": "admin", "provider": "db"}
                self._token = self.post("security/login", who)["access_token"]
                return
            except (URLError, ConnectionError):
                if time.monotonic() > deadline:
                    raise RuntimeError("Superset does not answer; see its log.") from None
                time.sleep(1)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The response to a posted object."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = Request(f"{ORIGIN}/api/v1/{path}", json.dumps(body).encode(), headers)
        try:
            with urlopen(request, timeout=300) as answer:
                return json.load(answer)
        except HTTPError as error:
            said = error.read().decode(errors="replace")[:1000]
            raise RuntimeError(f"Superset refused {path} ({error.code}): {said}") from None


def main() -> int:
    """Create everything; returns the exit code."""
    superset = Superset()
    superset.log_in()
    uri = f"hive://viewer@127.0.0.1:{THRIFT_PORT}/{SCHEMA}"
    connection = {"database_name": "sync_logs", "sqlalchemy_uri": uri, "expose_in_sqllab": True}
    database = superset.post("database/", connection)["id"]
    for chart in CHARTS:
        # Superset's list of tables shows schemas (a bug of PyHive), so the table is named here
        dataset = superset.post(
            "dataset/", {"database": database, "schema": SCHEMA, "table_name": chart.table}
        )["id"]
        made = superset.post("chart/", _form(chart, dataset))["id"]
        rows = superset.post("chart/data", _query(chart, dataset))["result"][0]["data"]
        if not rows:
            raise RuntimeError(f"The chart {chart.title!r} has no data.")
        print(
            f"superset: {chart.title} ({chart.table}): {len(rows)} rows, chart {made}", flush=True
        )
    return 0


def _form(chart: Chart, dataset: int) -> dict[str, Any]:
    form = {
        "viz_type": "echarts_timeseries_bar",
        "datasource": f"{dataset}__table",
        "x_axis": chart.by,
        "metrics": [_metric(chart)],
        "groupby": [],
        "row_limit": 100,
        "x_axis_sort_asc": True,
    }
    return {
        "slice_name": chart.title,
        "viz_type": form["viz_type"],
        "datasource_id": dataset,
        "datasource_type": "table",
        "params": json.dumps(form),
    }


def _query(chart: Chart, dataset: int) -> dict[str, Any]:
    asked = {"columns": [chart.by], "metrics": [_metric(chart)], "row_limit": 100}
    return {
        "datasource": {"id": dataset, "type": "table"},
        "queries": [asked],
        "result_format": "json",
        "result_type": "full",
    }


def _metric(chart: Chart) -> dict[str, Any]:
    return {
        "expressionType": "SIMPLE",
        "column": {"column_name": chart.measure},
        "aggregate": "SUM",
        "label": chart.measure,
    }


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        print(f"superset: {error}", file=sys.stderr)
        sys.exit(1)
