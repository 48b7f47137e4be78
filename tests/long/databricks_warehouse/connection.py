"""Replaces the connections of the real adapter, and closes the network to this process."""

import json
import re
import socket
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import sqlglot
from dbt.adapters.databricks import connections
from dbt.adapters.databricks.credentials import DatabricksCredentials
from dbt.adapters.databricks.handle import DatabricksHandle

from .answers import Data
from .catalog import Answer, Catalog

# the schema of the state in a clone
STATE = "main.sync_logs_state"
COMMENT = re.compile(r"^/\* (\{.*?\}) \*/\s*", re.S)


class Answers(Protocol):
    """What answers statements."""

    def execute(self, sql: str) -> Answer:
        """What a statement answers."""


class Warehouse:
    """Records each statement with the node that sent it, and answers it."""

    def __init__(self, state: str = STATE) -> None:
        self.catalog = Catalog()
        self.data = Data(self.catalog, state)
        self.sent: list[dict[str, str]] = []
        self.command = ""
        self.unanswered: list[str] = []
        # columns of each model with a contract, by its id
        self.contracts: Mapping[str, list[tuple[str, str]]] = {}

    def execute(self, sql: str) -> Answer:
        """Record a statement; its answer."""
        found = COMMENT.match(sql)
        node = json.loads(found[1]).get("node_id", "") if found else ""
        text = COMMENT.sub("", sql).strip()
        self.sent.append({"command": self.command, "node": node, "sql": text})
        plain = re.sub(r"--.*", "", text).strip()
        if "__dbt_sbq" in plain or plain.startswith("select cast(null as"):
            return Answer([(name, kind) for name, kind in self.contracts[node]])
        return self.catalog.follow(plain) or self.data.answer(plain) or self._no_rows(plain)

    def _no_rows(self, sql: str) -> Answer:
        """The columns of a query, without rows."""
        self.unanswered.append(sql)
        selects = getattr(sqlglot.parse_one(sql, dialect="databricks"), "named_selects", [])
        return Answer([(name or "column", "string") for name in selects] or [("column", "string")])


class Cursor:
    """What the adapter needs of a cursor of Databricks."""

    query_id = "none"

    def __init__(self, warehouse: Answers) -> None:
        self._warehouse = warehouse
        self._answer = Answer([])
        self.connection = Connection

    @property
    def description(self) -> list[tuple[Any, ...]]:
        """Names and types of the columns."""
        return [(name, kind, None, None, None, None, None) for name, kind in self._answer.columns]

    def execute(self, sql: str, bindings: Sequence[Any] | None = None) -> "Cursor":
        """Record a statement; its values are put where the adapter has placeholders."""
        whole = sql % tuple(repr(value) for value in bindings) if bindings else sql
        self._answer = self._warehouse.execute(whole)
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows."""
        return self._answer.rows

    def fetchone(self) -> tuple[Any, ...] | None:
        """The first row."""
        return next(iter(self._answer.rows), None)

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        """The first rows."""
        return self._answer.rows[:size]

    def close(self) -> None:
        """Nothing is open."""

    def cancel(self) -> None:
        """Nothing runs."""


class Connection:
    """What the adapter needs of a connection of Databricks."""

    def __init__(self, warehouse: Answers) -> None:
        self._warehouse = warehouse

    def cursor(self) -> Cursor:
        """A new cursor."""
        return Cursor(self._warehouse)

    def close(self) -> None:
        """Nothing is open."""

    @staticmethod
    def get_session_id_hex() -> str:
        """No session."""
        return "none"


def use(warehouse: Answers) -> None:
    """Make the adapter of this process talk to a stand-in."""

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("the recorder has no network")

    socket.socket.connect = refuse  # type: ignore[method-assign]  # closes the network
    socket.create_connection = refuse  # type: ignore[assignment]  # likewise
    connections.check_spog_preconditions = lambda **_: None
    connections.SqlUtils.prepare_connection_arguments = staticmethod(lambda *_: {})
    DatabricksCredentials.authenticate = lambda _: None
    DatabricksHandle.from_connection_args = staticmethod(
        lambda _, is_cluster: DatabricksHandle(Connection(warehouse), is_cluster=is_cluster)
    )
