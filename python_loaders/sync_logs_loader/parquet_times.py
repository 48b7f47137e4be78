"""Times in nanoseconds, which pandas writes and Spark has no type for.

With `spark.sql.legacy.parquet.nanosAsLong` Spark reads them as integers. Only the footers of the
files show which integers are times; a guess from the magnitude would be wrong some day.
"""

from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from sync_logs_loader.logs import column

NANOS_AS_LONG = "spark.sql.legacy.parquet.nanosAsLong"

# `isAdjustedToUTC` is the second argument: whether the time is an instant.
_INSTANT = "TIMESTAMP(NANOS,true)"
_LOCAL = "TIMESTAMP(NANOS,false)"
Place = tuple[str, ...]
"""Names from the column down to the value, as in the schema of a file."""


def with_times(spark: SparkSession, rows: DataFrame) -> DataFrame:
    """Rows of parquet files with their nanoseconds as times, truncated to microseconds.

    Call this, and read the rows, while `NANOS_AS_LONG` is set and the time zone is UTC.
    """
    wanted = [field.name for field in rows.schema.fields if _has_long(field.dataType)]
    if not wanted:
        return rows
    units = _units(spark, rows.inputFiles(), set(wanted))
    if not units:
        return rows
    return rows.select(
        *[
            _converted(column(field.name), field.dataType, (field.name,), units).alias(field.name)
            for field in rows.schema.fields
        ]
    )


def _units(spark: SparkSession, files: list[str], wanted: set[str]) -> dict[Place, str]:
    """Places with nanoseconds and their kind, from the first footer that has each column."""
    units: dict[Place, str] = {}
    for file in files:
        if not wanted:
            break
        schema = _footer_schema(spark, file)
        for described in schema.getColumns():
            place = tuple(described.getPath())
            kind = str(described.getPrimitiveType().getLogicalTypeAnnotation())
            if place[0] in wanted and kind in (_INSTANT, _LOCAL):
                units[place] = kind
        wanted = wanted - {str(field.getName()) for field in schema.getFields()}
    return units


def _footer_schema(spark: SparkSession, file: str) -> Any:
    jvm: Any = spark._jvm
    path = jvm.org.apache.hadoop.fs.Path(jvm.java.net.URI(file))
    hadoop = jvm.org.apache.parquet.hadoop
    configuration = spark._jsc.hadoopConfiguration()
    reader = hadoop.ParquetFileReader.open(
        hadoop.util.HadoopInputFile.fromPath(path, configuration)
    )
    try:
        return reader.getFooter().getFileMetaData().getSchema()
    finally:
        reader.close()


def _has_long(data_type: T.DataType) -> bool:
    if isinstance(data_type, T.StructType):
        return any(_has_long(field.dataType) for field in data_type.fields)
    if isinstance(data_type, T.ArrayType):
        return _has_long(data_type.elementType)
    if isinstance(data_type, T.MapType):
        return _has_long(data_type.keyType) or _has_long(data_type.valueType)
    return isinstance(data_type, T.LongType)


def _converted(
    value: Column, data_type: T.DataType, place: Place, units: dict[Place, str]
) -> Column:
    if not any(known[: len(place)] == place for known in units):
        return value
    if isinstance(data_type, T.StructType):
        fields = [
            _converted(
                value.getField(field.name), field.dataType, (*place, field.name), units
            ).alias(field.name)
            for field in data_type.fields
        ]
        return F.when(value.isNotNull(), F.struct(*fields))
    if isinstance(data_type, T.ArrayType):
        element, inner = data_type.elementType, (*place, "list", "element")
        return F.transform(value, lambda one: _converted(one, element, inner, units))
    if isinstance(data_type, T.MapType):
        of_values, inner = data_type.valueType, (*place, "key_value", "value")
        return F.transform_values(value, lambda _, one: _converted(one, of_values, inner, units))
    return _time(value, units[place])


def _time(nanoseconds: Column, unit: str) -> Column:
    """Exact microseconds, never later: `div` rounds towards zero, which is later before 1970."""
    thousand = F.lit(1000).cast(T.LongType())
    is_cut = (nanoseconds % thousand < F.lit(0)).cast(T.LongType())
    # Called by its SQL name: Python has no function for it.
    instant = F.timestamp_micros(F.call_function("div", nanoseconds, thousand) - is_cut)
    return instant if unit == _INSTANT else instant.cast(T.TimestampNTZType())
