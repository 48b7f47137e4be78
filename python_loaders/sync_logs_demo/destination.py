"""The destination side of the demo: an in-memory SQLite database that refuses rows."""

import json
import sqlite3
from importlib import resources

from sync_logs_demo.source import Fields, SourceRow

REVOKED = "pragma query_only = on"
GRANTED = "pragma query_only = off"


class Destination:
    """One table of the destination; rows are accepted or refused one by one."""

    def __init__(self, table: str, key: str) -> None:
        schema = resources.files(__package__).joinpath("destination.sql")
        self._table = table
        self._key = key
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.executescript(schema.read_text(encoding="utf-8"))
        self._connection.execute("pragma foreign_keys = on")

    def close(self) -> None:
        """Drop everything."""
        self._connection.close()

    def revoke(self) -> None:
        """Make every write fail from now on."""
        self._connection.execute(REVOKED)

    def grant(self) -> None:
        """Allow writes again."""
        self._connection.execute(GRANTED)

    def empty(self) -> None:
        """Empty the table first, as a file export does."""
        self._connection.execute(f"delete from {self._table}")

    def close_orders(self) -> None:
        """Close all orders that prevent members from leaving."""
        self._connection.execute(f"delete from {self._table.replace('members', 'orders')}")

    def keys(self) -> set[str]:
        """The keys of the rows that the table has now."""
        rows = self._connection.execute(f"select {self._key} from {self._table}")
        return {key for (key,) in rows}

    def apply(self, operation: str, row: SourceRow) -> str | None:
        """Carry out one operation. Returns None, or the message if the row was refused.

        Raises `sqlite3.OperationalError` if the destination itself fails.
        """
        statement, values = self._statement(operation, row)
        try:
            self._connection.execute(statement, values)
        except sqlite3.IntegrityError as error:
            return str(error)
        return None

    def _statement(self, operation: str, row: SourceRow) -> tuple[str, list[object]]:
        if operation == "delete":
            return f"delete from {self._table} where {self._key} = ?", [row.key]
        names = list(row.fields)
        values = [_stored(row.fields, name) for name in names]
        if operation == "update":
            changes = ", ".join(f"{name} = ?" for name in names)
            return f"update {self._table} set {changes} where {self._key} = ?", [*values, row.key]
        marks = ", ".join("?" for _ in names)
        insert = f"insert into {self._table} ({', '.join(names)}) values ({marks})"
        if operation == "upsert":
            changes = ", ".join(f"{name} = excluded.{name}" for name in names if name != self._key)
            insert += f" on conflict ({self._key}) do update set {changes}"
        return insert, values


def _stored(fields: Fields, name: str) -> object:
    value = fields[name]
    return json.dumps(value) if isinstance(value, list) else value
