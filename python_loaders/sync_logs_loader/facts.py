"""The three fact files of an organisation: names of source objects, destinations and objects."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from sync_logs_loader.config import check_path_name
from sync_logs_loader.errors import ConfigError, InvalidRecordsError, MissingColumnError
from sync_logs_loader.filesystem import LakeFiles
from sync_logs_loader.logs import IS_BROKEN, Log, column
from sync_logs_loader.schemas import FACT_COLUMNS, FACTS_FOLDER, ORGANIZATION_COLUMN
from sync_logs_loader.session import utc_settings
from sync_logs_loader.sources import readable
from sync_logs_loader.writer import staging_folder

_INDEX = "organization_index"


def check_fact_kind(kind: str) -> None:
    """Raise `ConfigError` unless `kind` names one of the three fact files."""
    if kind not in FACT_COLUMNS:
        raise ConfigError(
            f"Expected a fact file out of {', '.join(FACT_COLUMNS)}, but got {kind!r}. "
            "Write it as KIND=PATH."
        )


def load_facts(
    spark: SparkSession,
    facts: DataFrame | Log,
    lake: str,
    kind: str,
    organization_id: str | None = None,
) -> dict[str, int]:
    """Write `<lake>/metadata/<organisation>/<kind>.parquet`, replacing an older one.

    `facts` has one row per id. Its columns are cast to strings; missing ones are null, others are
    left out (`unused_columns` lists them). Without `organization_id`, a column of that name tells
    the organisations apart. Returns the row count per organisation. Raises `MissingColumnError` or
    `InvalidRecordsError` if there is no id column, a row without an id, or no row at all.
    """
    check_fact_kind(kind)
    log = Log(facts) if isinstance(facts, DataFrame) else facts
    files = LakeFiles(spark, lake)
    with readable(f"the rows of {kind}"), utc_settings(spark):
        rows = select_facts(log.rows(log.columns), kind, organization_id)
        counts = _counts(rows, kind, log)
        with staging_folder(files) as stage:
            organizations = sorted(counts)
            stage_facts(rows.drop(IS_BROKEN), organizations, files.url(f"{stage}/facts"))
            for index, organization in enumerate(organizations, start=1):
                staged = f"{stage}/facts/{_INDEX}={index}"
                name = next(name for name in files.names(staged) if name.startswith("part-"))
                target = f"{FACTS_FOLDER}/{organization}/{kind}.parquet"
                files.replace(f"{staged}/{name}", target)
    return counts


def unused_columns(facts: DataFrame | Log, kind: str) -> list[str]:
    """Columns of fact files that are not in the lake at all."""
    known = {*FACT_COLUMNS[kind], ORGANIZATION_COLUMN}
    return [name for name in facts.columns if name not in known]


def stage_facts(rows: DataFrame, organizations: list[str], target: str) -> None:
    """Write one file per organisation, in a folder named after its position (from 1 on)."""
    # Positions, because Spark escapes characters in folder names that ids may have.
    # Called by its SQL name: before Spark 4 the Python function takes a literal, not a column.
    known = F.array(*map(F.lit, organizations))
    position = F.call_function("array_position", known, F.col(ORGANIZATION_COLUMN))
    indexed = rows.withColumn(_INDEX, position).drop(ORGANIZATION_COLUMN)
    indexed.coalesce(1).write.partitionBy(_INDEX).parquet(target)


def select_facts(facts: DataFrame, kind: str, organization_id: str | None) -> DataFrame:
    """One row per fact: `organization_id` and the kind's columns as strings, and `IS_BROKEN`."""
    needed = ["id"] if organization_id else ["id", ORGANIZATION_COLUMN]
    for name in needed:
        if name not in facts.columns:
            raise MissingColumnError(
                f"Expected a column {name} in the facts of {kind}, but they have only: "
                f"{', '.join(facts.columns)}. Add it, or give the organization id as an option."
            )
    organization = F.lit(organization_id) if organization_id else column(ORGANIZATION_COLUMN)
    return facts.select(
        organization.cast(T.StringType()).alias(ORGANIZATION_COLUMN),
        *(
            (column(name) if name in facts.columns else F.lit(None))
            .cast(T.StringType())
            .alias(name)
            for name in FACT_COLUMNS[kind]
        ),
        IS_BROKEN,
    )


def _counts(rows: DataFrame, kind: str, log: Log) -> dict[str, int]:
    by_organization = (
        rows.groupBy(ORGANIZATION_COLUMN)
        .agg(
            F.count(F.lit(1)).alias("fact_count"),
            F.count_if(F.col("id").isNull()).alias("null_count"),
            F.count_if(IS_BROKEN).alias("broken_count"),
        )
        .collect()
    )
    if not by_organization:
        raise InvalidRecordsError(
            f"Expected rows of {kind}, but the input is empty. Check the path and the format."
        )
    if broken_count := sum(row["broken_count"] for row in by_organization):
        raise log.broken(broken_count)
    lost_count = sum(
        row["fact_count"] if row[ORGANIZATION_COLUMN] is None else row["null_count"]
        for row in by_organization
    )
    if lost_count:
        raise InvalidRecordsError(
            f"Expected {kind} with an id and an organization in every row, but {lost_count} of "
            f"{sum(row['fact_count'] for row in by_organization)} rows lack one. "
            "Repair or remove them and load the file again."
        )
    return {
        check_path_name(row[ORGANIZATION_COLUMN], "an organization id"): row["fact_count"]
        for row in by_organization
    }
