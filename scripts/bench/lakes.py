"""Lakes of any size for the benchmark, which DuckDB writes in seconds.

Each sync has a table of records. Its first run sends all of them, and each later run a third, so
that a record is sent about every third run. One in 25 sends has a rejected attempt before it.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from sync_logs_loader.schemas import RECORD_SCHEMA

DAY_ONE = datetime(2026, 1, 1)
BATCH_SIZE = 70_000
NEW_RUN = 10_000
ORGANIZATIONS = ("1", "2")
# rows for each record that is sent
ATTEMPTS = 1.04


@dataclass(frozen=True)
class Shape:
    """The number of syncs, of runs per sync, and of records in the table of each sync."""

    sync_count: int
    run_count: int
    table_size: int

    @classmethod
    def of_records(cls, count: int, sync_count: int = 4, run_count: int = 10) -> "Shape":
        """A first run sends the whole table of its sync, and each later run a third of it."""
        thirds = 3 + (run_count - 1)
        return cls(sync_count, run_count, round(3 * count / sync_count / thirds / ATTEMPTS))

    @property
    def record_count(self) -> int:
        """About as many rows as its lake has, with rejected attempts."""
        sent = self.table_size + (self.run_count - 1) * (self.table_size // 3)
        return self.sync_count * round(ATTEMPTS * sent)

    @property
    def news(self) -> int:
        """Records of one more run: at most as many as the other runs after the first."""
        return min(NEW_RUN, self.table_size // 3)


def write_lake(lake: Path, shape: Shape) -> None:
    """Write all runs of a lake and its three fact files."""
    with duckdb.connect() as database:
        for sync in range(shape.sync_count):
            for run in range(shape.run_count):
                sent = shape.table_size if run == 0 else shape.table_size // 3
                _write_run(database, lake, sync, run, sent)
        _write_facts(database, lake)


def add_run(lake: Path, shape: Shape, number: int, sent: int) -> None:
    """Add one run of the first sync that sends `sent` records; `number` counts from 0."""
    with duckdb.connect() as database:
        _write_run(database, lake, 0, shape.run_count + number, sent)


def batches_of(lake: Path) -> str:
    """A pattern that matches every batch file of a lake."""
    return f"{lake}/sync_tracking_datasets/*/*/*/*.parquet"


def records_of(spark: Any, lake: Path) -> Any:
    """The rows of all batch files, as Spark reads them."""
    return spark.read.schema(RECORD_SCHEMA).parquet(batches_of(lake))


def show_lake(spark: Any, lake: Path) -> None:
    """Create views on the raw lake: `raw_batches`, and `raw_metadata` of the runs."""
    records = records_of(spark, lake).select("*", "_metadata.file_path", "_metadata.row_index")
    records.createOrReplaceTempView("raw_batches")
    metadata = spark.read.json(f"{lake}/sync_tracking_datasets/*/*/*/metadata.json")
    metadata.createOrReplaceTempView("raw_metadata")


def organization_of(sync: int) -> str:
    """The organisation that a sync belongs to."""
    return ORGANIZATIONS[sync % len(ORGANIZATIONS)]


def started_at(run: int) -> datetime:
    """The start of a run: an hour after the previous run."""
    return DAY_ONE + timedelta(hours=run)


def _write_run(
    database: duckdb.DuckDBPyConnection, lake: Path, sync: int, run: int, sent: int
) -> None:
    folder = lake / "sync_tracking_datasets" / organization_of(sync) / str(sync) / str(run)
    folder.mkdir(parents=True)
    for batch, first in enumerate(range(0, sent, BATCH_SIZE)):
        query = _records(sync, run, first, min(first + BATCH_SIZE, sent))
        database.execute(f"copy ({query}) to '{folder}/all.{batch}.parquet' (compression snappy)")
    (folder / "metadata.json").write_text(json.dumps(_metadata(sync, run)))


def _records(sync: int, run: int, first: int, last: int) -> str:
    started = f"timestamp '{started_at(run)}'"
    # runs send the thirds of the table in turn
    place = "place" if run == 0 else f"place * 3 + {run % 3}"
    return f"""
        with sends as (
            select {place} as number, place, hash({place}, {run}, {sync}) as luck
            from range({first}, {last}) as places(place)
        ),
        attempts as (
            select *, 0 as attempt, luck % 25 = 1 as is_refused from sends where luck % 25 = 1
            union all
            select *, 1, luck % 33 = 0 from sends
        )
        select
            printf('%016x', hash(number)) as identifier,
            to_json(struct_pack(
                email := printf('person.%d@example.org', number),
                first_name := printf('%x', hash(number, 1) % 4096),
                company := printf('Company %d', hash(number, 2) % 5000),
                plan := ['free', 'team', 'business'][1 + ((number + {run // 4}) % 3)::int],
                lifetime_value := round((hash(number, {run}) % 100000) / 100, 2),
                signed_up_at := (date '2020-01-01' + (number % 2000)::int)::varchar,
                is_subscribed := number % 7 > 0
            ))::varchar as record_payload,
            case
                when {run} = 0 then 'insert'
                when luck % 20 = 3 then 'delete'
                else 'upsert'
            end as operation,
            case
                when is_refused then 'rejected'
                when luck % 200 = 7 and {run} > 0 then 'DUPLICATE'
                else 'succeeded'
            end as status,
            case
                when is_refused then [
                    'The email address is not valid',
                    'Required field missing: company',
                    'Rate limit exceeded, retry later',
                    printf('Duplicate of contact %d', number % 50)
                ][1 + (luck % 4)::int]
            end as status_message,
            {started} + interval (place // 100) millisecond as batch_started_at,
            {started} + interval (place // 100 + 500 + attempt) millisecond as batch_ended_at,
            '{sync}' as sync_configuration_id,
            '{run}' as sync_run_id
        from attempts
        order by place, attempt
    """


def _metadata(sync: int, run: int) -> dict[str, object]:
    started = started_at(run)
    return {
        "organization_id": organization_of(sync),
        "workspace_id": "1",
        "sync_configuration_id": str(sync),
        "sync_run_id": str(run),
        "source_id": "1",
        "source_object_id": str(sync),
        "destination_id": "1",
        "destination_object_id": str(sync),
        "sync_run_started_at": f"{started.isoformat()}Z",
        "sync_run_finished_at": f"{(started + timedelta(minutes=30)).isoformat()}Z",
        "sync_run_status": "completed",
        "model_name": f"Customers {sync}",
    }


def _write_facts(database: duckdb.DuckDBPyConnection, lake: Path) -> None:
    for organization in ORGANIZATIONS:
        folder = lake / "metadata" / organization
        folder.mkdir(parents=True)
        facts = {
            "destinations": "select '1' as id, 'salesforce' as type, 'CRM' as name",
            "destination_objects": "select '1' as id, 'contact' as type, 'Contact' as name",
            "source_objects": "select '1' as id, 'model' as type, 'Customers' as name",
        }
        for name, query in facts.items():
            database.execute(f"copy ({query}) to '{folder}/{name}.parquet'")
