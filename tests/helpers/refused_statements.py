"""Statements of models that fail, in any process that runs dbt."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from dbt.adapters.spark.session import Cursor
from dbt_common.exceptions import DbtRuntimeError

# dbt begins each query with a comment that names its node
NODE = re.compile(r'"node_id": "model\.sync_logs\.(\w+)"')
# what writes the rows of a table of the state, and what replaces a view
WRITING = "insert into|create or replace view"


@contextmanager
def refusing(faults: Mapping[str, str]) -> Iterator[None]:
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
        yield
    assert failed == set(faults)
