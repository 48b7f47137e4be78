"""Tables of sources in the catalog of the tests, whatever their vendor."""

from collections.abc import Mapping, Sequence

from pyspark.sql import SparkSession


def put(relation: str, types: Mapping[str, str], rows: Sequence[Mapping[str, object]]) -> None:
    """Replace a table, or drop it if it has no columns. What a row leaves out is null."""
    session = SparkSession.builder.getOrCreate()
    schema, _, _ = relation.rpartition(".")
    session.sql(f"create schema if not exists {schema}")
    session.sql(f"drop table if exists {relation}")
    if not types:
        return
    declared = ", ".join(f"{name} {type_}" for name, type_ in types.items())
    values = [tuple(row.get(name) for name in types) for row in rows]
    session.createDataFrame(values, declared).write.saveAsTable(relation)
