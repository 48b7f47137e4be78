"""Turns a log of any shape into the record columns of the lake: pure DataFrame functions."""

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from sync_logs_loader.columns import KEY_COLUMNS, ColumnPlan
from sync_logs_loader.config import LoadConfig
from sync_logs_loader.errors import InvalidRecordsError
from sync_logs_loader.logs import FLAT_PAYLOAD, IS_BROKEN, Log, column, json_of
from sync_logs_loader.schemas import RECORD_SCHEMA, RUN_COLUMN, SYNC_COLUMN, TIME_COLUMNS

ROW_NUMBER = "key_row_number"
HAS_UNREADABLE_TIME = "key_has_unreadable_time"
HELPERS = (*KEY_COLUMNS, HAS_UNREADABLE_TIME, IS_BROKEN, ROW_NUMBER)
"""Columns of `select_records` that are not columns of the lake."""


def select_records(log: Log, plan: ColumnPlan, config: LoadConfig) -> DataFrame:
    """One row per row of the log: the three key columns, then the lake's record columns.

    Identifiers and texts are cast to string and never trimmed. A payload that is not text becomes
    JSON. A log without a payload gets a JSON object of all columns without another use, including
    nulls, because a null field and a missing field are different facts. Payloads of JSON lines
    keep their spelling.
    Times can be timestamps, dates or ISO 8601 texts; any other text sets `HAS_UNREADABLE_TIME`.
    Three helper columns come last: that flag, `IS_BROKEN`, and `ROW_NUMBER`, which increases in
    the order of the log.
    """
    rows = log.rows(plan.used, plan.records.get("record_payload"), plan.use.in_payload)
    types = {field.name: field.dataType for field in rows.schema.fields}
    keys = [
        F.lit(plan.key_values[key]).alias(key)
        if key in plan.key_values
        else column(plan.key_columns[key]).cast(T.StringType()).alias(key)
        for key in KEY_COLUMNS
    ]
    values = [_record_value(field, plan, types).alias(field.name) for field in RECORD_SCHEMA.fields]
    extras = [
        _extra_value(name, plan, keys).alias(name) for name in config.generation.extra_columns
    ]
    return rows.select(
        *keys,
        *values,
        *extras,
        _unreadable_time(plan, types).alias(HAS_UNREADABLE_TIME),
        IS_BROKEN,
        F.monotonically_increasing_id().alias(ROW_NUMBER),
    )


def _record_value(field: T.StructField, plan: ColumnPlan, types: dict[str, T.DataType]) -> Column:
    if field.name == "record_payload":
        return _payload(plan, types)
    if field.name in plan.constants:
        constant = F.lit(plan.constants[field.name])
        return F.try_to_timestamp(constant) if field.name in TIME_COLUMNS else constant
    source = plan.records.get(field.name)
    if source is None:
        return F.lit(None).cast(field.dataType)
    if field.name in TIME_COLUMNS:
        return _time(source, types[source])
    return column(source).cast(T.StringType())


def _payload(plan: ColumnPlan, types: dict[str, T.DataType]) -> Column:
    source = plan.records.get("record_payload")
    if source is None:
        return column(FLAT_PAYLOAD) if plan.use.in_payload else F.lit(None).cast(T.StringType())
    if isinstance(types[source], T.StructType | T.MapType | T.ArrayType):
        return json_of(column(source))
    return column(source).cast(T.StringType())


def _time(source: str, data_type: T.DataType) -> Column:
    if isinstance(data_type, T.StringType):
        return F.try_to_timestamp(column(source))
    if isinstance(data_type, T.TimestampType | T.TimestampNTZType | T.DateType | T.NullType):
        return column(source).cast(T.TimestampType())
    raise InvalidRecordsError(
        f"Expected timestamps or ISO 8601 texts in column {source!r}, but it has the type "
        f"{data_type.simpleString()}. Convert it first: the unit of a number is a guess."
    )


def _extra_value(name: str, plan: ColumnPlan, keys: list[Column]) -> Column:
    if name == SYNC_COLUMN:
        return keys[1]
    if name == RUN_COLUMN:
        return keys[2]
    return column(plan.records[name]).cast(T.StringType())


def _unreadable_time(plan: ColumnPlan, types: dict[str, T.DataType]) -> Column:
    texts = [F.lit(plan.constants[name]) for name in TIME_COLUMNS if name in plan.constants]
    sources = [plan.records[name] for name in TIME_COLUMNS if name in plan.records]
    texts += [column(name) for name in sources if isinstance(types[name], T.StringType)]
    unreadable = F.lit(False)
    for text in texts:
        unreadable = unreadable | (text.isNotNull() & F.try_to_timestamp(text).isNull())
    return unreadable


def profile_metrics() -> list[Column]:
    """Aggregates over `select_records` that decide whether the rows can be loaded.

    The start is text (ISO 8601, UTC), so that the driver's time zone cannot change it.
    """
    started = F.min(F.coalesce("batch_started_at", "batch_ended_at"))
    lost_status = F.col("status").isNull() & F.col("identifier").isNotNull()
    return [
        F.count(F.lit(1)).alias("record_count"),
        F.count_if(F.col("operation").isNull()).alias("operation"),
        F.count_if(lost_status).alias("status"),
        F.count_if(F.col(HAS_UNREADABLE_TIME)).alias("time"),
        F.count_if(F.col(IS_BROKEN)).alias("broken"),
        F.date_format(started, "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").alias("started_at"),
    ]


@dataclass(frozen=True)
class RunProfile:
    """Counts of one run's rows; `started_at` is its first batch time (ISO 8601 text) or None."""

    record_count: int
    null_operations: int
    null_statuses: int
    unreadable_times: int
    broken_rows: int
    started_at: str | None


def check_profile(profile: RunProfile, run: str) -> None:
    """Raise `InvalidRecordsError` unless every row of a run can be a row of the lake."""
    if profile.record_count == 0:
        raise InvalidRecordsError(
            f"Expected rows for {run}, but the input is empty. Check the path and the format."
        )
    problems = (
        (profile.null_operations, "an operation in every row", "have none"),
        (profile.null_statuses, "a status in every row with an identifier", "have none"),
        (profile.unreadable_times, "ISO 8601 batch times", "have another text or a number"),
    )
    for count, expected, given in problems:
        if count:
            raise InvalidRecordsError(
                f"Expected {expected}, but {count} of {profile.record_count} rows of {run} {given}."
                " Fix the log or map the right column."
            )
