"""`record_payload_schema`: which field of a payload is a string, number, boolean or array."""

from collections.abc import Iterator, Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

RUN_INDEX = "run_index"
SAMPLE_ROWS = 10_000
"""Payloads sampled per run: all of a smaller run; whole batches, evenly spread, of a larger one."""

_SAMPLE_SCHEMA = T.StructType(
    [
        T.StructField("record_payload", T.StringType()),
        T.StructField(RUN_INDEX, T.IntegerType()),
    ]
)
# One inference merges a struct per run; far more runs in one inference would slow each merge.
_RUNS_PER_INFERENCE = 100


def sample_batches(batches: Sequence[str], batch_size: int) -> list[str]:
    """At least one batch: evenly spread over a run, with about `SAMPLE_ROWS` rows in total."""
    count = max(1, SAMPLE_ROWS // batch_size)
    if len(batches) <= count:
        return list(batches)
    return [batches[index * len(batches) // count] for index in range(count)]


def infer_payload_schemas(
    spark: SparkSession, base: str, batches: dict[int, list[str]]
) -> dict[int, dict[str, str]]:
    """Field names and kinds per run index, from batch files below `base`/run_index=<n>/.

    A field with values of several kinds, a nested object and a field that is always null are
    `string`. Payloads that are not JSON objects are ignored; a run of such payloads maps to {}.
    """
    schemas: dict[int, dict[str, str]] = {run: {} for run in batches}
    for runs in _chunks(sorted(batches)):
        paths = [path for run in runs for path in batches[run]]
        payloads = spark.read.schema(_SAMPLE_SCHEMA).option("basePath", base).parquet(*paths)
        for field in infer_json_schema(spark, payloads).fields:
            # A payload with broken text appears under Spark's name for corrupt records.
            if field.name.isdigit() and isinstance(field.dataType, T.StructType):
                schemas[int(field.name)] = {
                    inner.name: payload_kind(inner.dataType) for inner in field.dataType.fields
                }
    return schemas


def infer_json_schema(spark: SparkSession, payloads: DataFrame) -> T.StructType:
    """Schema of all payloads in one pass: a field per run index that holds the run's schema."""
    documents = payloads.where(F.col("record_payload").isNotNull()).select(
        F.concat(F.lit('{"'), RUN_INDEX, F.lit('":'), "record_payload", F.lit("}"))
    )
    # PySpark infers schemas of text rows only through Python workers; the JVM's own call does
    # not move the rows.
    encoder = spark._jvm.org.apache.spark.sql.Encoders.STRING()
    texts = getattr(documents._jdf, "as")(encoder)
    inferred = spark._jsparkSession.read().json(texts).schema().json()
    return T._parse_datatype_json_string(inferred)


def payload_kind(data_type: T.DataType) -> str:
    """The lake's word for a Spark type."""
    if isinstance(data_type, T.ArrayType):
        return "array"
    if isinstance(data_type, T.BooleanType):
        return "boolean"
    if isinstance(data_type, T.NumericType):
        return "number"
    return "string"


def _chunks(runs: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(runs), _RUNS_PER_INFERENCE):
        yield runs[start : start + _RUNS_PER_INFERENCE]
