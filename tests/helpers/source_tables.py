"""Tables of sources in the catalog of the tests, whatever their vendor."""

import json
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


def with_sources(*sources: Mapping[str, object], **more: object) -> str:
    """The dbt vars of a project with these sources, at a fixed time."""
    given = {"sync_logs_sources": sources, "sync_logs_as_of": "2026-02-01T00:00:00Z"}
    return json.dumps(given | more)
