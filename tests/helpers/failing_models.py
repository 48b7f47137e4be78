"""Statements of a build that fail, while dbt builds everything that depends on them all the same.

dbt-core 1.12 does that with `on_error: continue`. Older versions skip what depends on a failed
model, unless they are told not to.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from dbt.adapters.spark.session import Cursor
from dbt.task.runnable import GraphRunnableTask
from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.refused_statements import NODE, WRITING, refusing


@contextmanager
def listening() -> Iterator[set[str]]:
    """Yield the names of the models that write, while they do."""
    writing: set[str] = set()
    execute = Cursor.execute

    def note(cursor: Cursor, sql: str, *parameters: Any) -> None:
        node = NODE.search(sql)
        if node and re.search(WRITING, sql):
            writing.add(node.group(1))
        execute(cursor, sql, *parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cursor, "execute", note)
        yield writing


@contextmanager
def failing(faults: Mapping[str, str]) -> Iterator[None]:
    """Let statements of models fail, and let dbt build what depends on these models.

    Arguments: faults: by the name of a model, a regular expression that its statements contain.
    """
    with refusing(faults), pytest.MonkeyPatch.context() as patch:
        patch.setattr(GraphRunnableTask, "_mark_dependent_errors", lambda *_: None)
        yield


def make_stale(built: Warehouse, view: str) -> None:
    """Let the next build replace a view, as it does when the package is upgraded."""
    SparkSession.builder.getOrCreate().sql(
        f"alter view {built.schema}_state.{view} "
        "set tblproperties ('sync_logs.definition' = 'of an older version')"
    )


def committed(built: Warehouse) -> tuple[str, int, str]:
    """The committed load, the version of its tables, and the other columns of the commit."""
    session = SparkSession.builder.getOrCreate()
    (row,) = session.table(f"{built.schema}_state.sync_load_current").collect()
    others = f"'{row['words']}' as words"
    return str(row["load_id"]), int(row["schema_version"]), others


def last_load(built: Warehouse) -> str:
    """The load of the last build, whether it was published or not."""
    session = SparkSession.builder.getOrCreate()
    recorded = session.table(f"{built.schema}_state.int_loads__recorded")
    return max(str(row["load_id"]) for row in recorded.select("load_id").collect())
