"""From a log of any shape to the record columns of the lake: pure DataFrame functions."""

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from python_loaders.config import LoadConfig
from python_loaders.errors import InvalidRecordsError, MissingColumnError
from python_loaders.schemas import (
    INTERNAL_ID_COLUMN,
    ORGANIZATION_COLUMN,
    RECORD_SCHEMA,
    REQUIRED_RECORD_COLUMNS,
    RUN_COLUMN,
    SYNC_COLUMN,
    SYNC_COLUMN_ALIAS,
    TIME_COLUMNS,
    Generation,
)

KEY_COLUMNS = ("key_organization_id", "key_sync_id", "key_sync_run_id")
ROW_NUMBER = "key_row_number"
HAS_UNREADABLE_TIME = "key_has_unreadable_time"


@dataclass(frozen=True)
class ColumnPlan:
    """Which column of the log, or which constant, each column of the lake comes from."""

    records: dict[str, str]
    key_columns: dict[str, str]
    key_values: dict[str, str]
    payload_columns: tuple[str, ...]


def plan_columns(columns: list[str], config: LoadConfig) -> ColumnPlan:
    """Match the names of a log with those of the lake; names are compared exactly.

    Raises `MissingColumnError` if a needed or an explicitly mapped column is absent.
    """
    if not columns:
        raise InvalidRecordsError(
            "Expected a log with rows, but the input is empty. Check the path and the format."
        )
    for canonical, source in config.columns.items():
        _require(source in columns, f"{canonical} (mapped to {source!r})", columns)
    wanted = [*RECORD_SCHEMA.fieldNames(), INTERNAL_ID_COLUMN]
    named = {canonical: config.columns.get(canonical, canonical) for canonical in wanted}
    records = {canonical: name for canonical, name in named.items() if name in columns}
    for canonical in REQUIRED_RECORD_COLUMNS:
        _require(canonical in records, canonical, columns)
    if config.generation is Generation.INTERNAL_ID:
        _require(INTERNAL_ID_COLUMN in records, INTERNAL_ID_COLUMN, columns)
    key_columns, key_values = _plan_keys(columns, config)
    used = {*records.values(), *key_columns.values()}
    reserved = {ORGANIZATION_COLUMN, SYNC_COLUMN, SYNC_COLUMN_ALIAS, RUN_COLUMN}
    payload = tuple(name for name in columns if name not in used | reserved)
    return ColumnPlan(records, key_columns, key_values, payload)


def _plan_keys(columns: list[str], config: LoadConfig) -> tuple[dict[str, str], dict[str, str]]:
    sync_column = SYNC_COLUMN if SYNC_COLUMN in columns else SYNC_COLUMN_ALIAS
    sources = (
        (config.organization_id, ORGANIZATION_COLUMN, ORGANIZATION_COLUMN),
        (config.sync_id, SYNC_COLUMN, sync_column),
        (config.sync_run_id, RUN_COLUMN, RUN_COLUMN),
    )
    key_columns, key_values = {}, {}
    for key, (value, canonical, default) in zip(KEY_COLUMNS, sources, strict=True):
        if value is not None:
            key_values[key] = value
            continue
        name = config.columns.get(canonical, default)
        _require(name in columns, canonical, columns, "or give the id as an option")
        key_columns[key] = name
    return key_columns, key_values


def _require(found: bool, name: str, columns: list[str], hint: str = "or map it") -> None:
    if not found:
        raise MissingColumnError(
            f"Expected a column {name}, but the log has only: {', '.join(columns)}. "
            f"Add it to the log, {hint} (--column CANONICAL=NAME_IN_THE_LOG)."
        )


def select_records(log: DataFrame, config: LoadConfig) -> DataFrame:
    """One row per row of the log: the lake's record columns, behind the three key columns.

    Identifiers and texts are cast to string and never trimmed. A payload that is no text becomes
    JSON; a log without one gets a JSON object of all columns that have no other use, nulls
    included, because a field that is null and a field that is absent are different facts.
    Times may be timestamps, dates or ISO 8601 texts; a text that is none sets
    `HAS_UNREADABLE_TIME`. Two helper columns stand last: that flag, and `ROW_NUMBER`, which
    grows in the order of the log.
    """
    plan = plan_columns(log.columns, config)
    types = {field.name: field.dataType for field in log.schema.fields}
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
    return log.select(
        *keys,
        *values,
        *extras,
        _unreadable_time(plan, types).alias(HAS_UNREADABLE_TIME),
        F.monotonically_increasing_id().alias(ROW_NUMBER),
    )


def column(name: str) -> Column:
    """A column by its exact name, whatever characters it has."""
    return F.col("`{}`".format(name.replace("`", "``")))


def _record_value(field: T.StructField, plan: ColumnPlan, types: dict[str, T.DataType]) -> Column:
    source = plan.records.get(field.name)
    if field.name == "record_payload":
        return _payload(source, plan, types)
    if source is None:
        return F.lit(None).cast(field.dataType)
    if field.name in TIME_COLUMNS:
        return _time(source, types[source])
    return column(source).cast(T.StringType())


def _payload(source: str | None, plan: ColumnPlan, types: dict[str, T.DataType]) -> Column:
    options = {"ignoreNullFields": "false"}
    if source is None:
        if not plan.payload_columns:
            return F.lit(None).cast(T.StringType())
        return F.to_json(F.struct(*[column(name) for name in plan.payload_columns]), options)
    if isinstance(types[source], T.StructType | T.MapType | T.ArrayType):
        return F.to_json(column(source), options)
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
    unreadable = F.lit(False)
    for name in TIME_COLUMNS:
        source = plan.records.get(name)
        if source is not None and isinstance(types[source], T.StringType):
            parsed = F.try_to_timestamp(column(source))
            unreadable = unreadable | (column(source).isNotNull() & parsed.isNull())
    return unreadable


def profile_metrics() -> list[Column]:
    """Aggregates over `select_records` that decide whether the rows can be loaded.

    The start is text (ISO 8601, UTC), so that no driver's time zone can touch it.
    """
    started = F.min(F.coalesce("batch_started_at", "batch_ended_at"))
    lost_status = F.col("status").isNull() & F.col("identifier").isNotNull()
    return [
        F.count(F.lit(1)).alias("record_count"),
        F.count_if(F.col("operation").isNull()).alias("operation"),
        F.count_if(lost_status).alias("status"),
        F.count_if(F.col(HAS_UNREADABLE_TIME)).alias("time"),
        F.date_format(started, "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").alias("started_at"),
    ]


@dataclass(frozen=True)
class RunProfile:
    """Counts of one run's rows; `started_at` is its first batch time as ISO 8601 text or None."""

    record_count: int
    null_operations: int
    null_statuses: int
    unreadable_times: int
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
        (profile.unreadable_times, "ISO 8601 batch times", "have another text"),
    )
    for count, expected, given in problems:
        if count:
            raise InvalidRecordsError(
                f"Expected {expected}, but {count} of {profile.record_count} rows of {run} {given}."
                " Repair the log or map the right column."
            )
