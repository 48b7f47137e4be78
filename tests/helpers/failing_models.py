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
from dbt_common.exceptions import DbtRuntimeError

NODE = re.compile(r'"node_id": "model\.sync_logs\.(\w+)"')
# what writes the rows of a table of the state, and what replaces a view
WRITING = "insert into|create or replace view"


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
    """Let statements of models fail, and assert at the end that each model had one.

    Arguments: faults: by the name of a model, a regular expression that its statements contain.
    """
    failed: set[str] = set()
    execute = Cursor.execute

    def refuse(cursor: Cursor, sql: str, *parameters: Any) -> None:
        node = NODE.search(sql)
        statement = faults.get(node.group(1)) if node else None
        if node and statement and re.search(statement, sql):
            failed.add(node.group(1))
            raise DbtRuntimeError("a fault of the test")
        execute(cursor, sql, *parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cursor, "execute", refuse)
        patch.setattr(GraphRunnableTask, "_mark_dependent_errors", lambda *_: None)
        yield
    assert failed == set(faults)
