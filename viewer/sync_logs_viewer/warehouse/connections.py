"""Warehouses by kind of connection: one call takes a query and returns rows."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import islice
from typing import Any, Protocol

import pyarrow as pa
from pyspark import __version__ as PYSPARK

from sync_logs_viewer.questions import Query

from .literals import named, with_literals

Rows = list[dict[str, Any]]
ROWS_AT_ONCE = 1000
# a session that no longer exists, or a Spark that does not answer
SIGNS_OF_LOSS = ("UNAVAILABLE", "Connection refused", "INVALID_HANDLE.SESSION", "SESSION_NOT_FOUND")
RETRIES = {"max_retries": 4, "initial_backoff": 100, "max_backoff": 2000}


class WarehouseError(Exception):
    """The warehouse did not answer; the message says why and what to do."""


class Warehouse(Protocol):
    """Runs queries. Many threads use it at the same time."""

    def ask(self, query: Query) -> pa.Table:
        """All rows. Raises WarehouseError."""
        ...

    def stream(self, query: Query) -> Iterator[Rows]:
        """The rows in batches, so that many rows need little memory. Raises WarehouseError."""
        ...


class SessionWarehouse:
    """A Spark session. If it is lost, the next query opens a new one."""

    def __init__(
        self,
        open_session: Callable[[], Any],
        schema: str,
        name: str,
        read: "Callable[[Any, Query], pa.Table] | None" = None,
    ) -> None:
        """`name` is where the session is, for messages; `read` runs a query on it."""
        self._open = open_session
        self._schema = schema
        self._name = name
        self._read = read or _read
        self._session: Any = None
        self._lock = threading.Lock()

    def ask(self, query: Query) -> pa.Table:
        """See Warehouse."""
        session = self._connected()
        try:
            return self._read(session, query)
        except Exception as error:
            raise self._told(error, session) from error

    def stream(self, query: Query) -> Iterator[Rows]:
        """See Warehouse."""
        session = self._connected()
        try:
            frame = _without_zones(session.sql(with_literals(query.sql, query.arguments)))
            found = frame.toLocalIterator()
            while rows := [_in_utc(row.asDict()) for row in islice(found, ROWS_AT_ONCE)]:
                yield rows
        except Exception as error:
            raise self._told(error, session) from error

    def _connected(self) -> Any:
        try:
            with self._lock:
                if self._session is None:
                    session = self._open()
                    session.conf.set("spark.sql.session.timeZone", "UTC")
                    # `setCurrentDatabase` parses the name, and fails if it has a dash
                    session.sql(f"use {named(self._schema)}")
                    self._session = session
                return self._session
        except Exception as error:
            raise self._told(error, None) from error

    def _told(self, error: Exception, session: Any) -> WarehouseError:
        """The error for the user. Forgets a lost session, if it is still the current one."""
        said = _first_line(error)
        if any(sign in str(error) for sign in SIGNS_OF_LOSS):
            with self._lock:
                if self._session is session:
                    self._session = None
            return WarehouseError(
                f"Spark does not answer at {self._name}. Start it with `make serve`, or wait until "
                "it is back. Then reload this page."
            )
        return WarehouseError(said)


def connect_warehouse(url: str, schema: str) -> SessionWarehouse:
    """The warehouse behind a Spark Connect server."""

    def open_session() -> Any:
        from pyspark.sql import SparkSession
        from pyspark.sql.connect.client.retries import DefaultPolicy

        session = SparkSession.builder.remote(url).create()
        # PySpark would try for ten minutes
        session.client.set_retry_policies([DefaultPolicy(**RETRIES)])
        return session

    # the query plan has other arguments in PySpark 3.5
    return SessionWarehouse(
        open_session, schema, url, _read if PYSPARK.startswith("3.") else _read_at_once
    )


@dataclass
class ThriftWarehouse:
    """A Spark Thrift server. Each query has its own connection from a small pool."""

    host: str
    port: int
    user: str
    schema: str

    def __post_init__(self) -> None:
        self._idle: list[Any] = []
        self._lock = threading.Lock()

    def ask(self, query: Query) -> pa.Table:
        """See Warehouse."""
        with self._connection() as connection:
            cursor = connection.cursor()
            try:
                cursor.execute(with_literals(query.sql, query.arguments))
                return _table(_names(cursor), cursor.fetchall())
            except Exception as error:
                raise WarehouseError(_first_line(error)) from error
            finally:
                with suppress(Exception):
                    cursor.close()

    def stream(self, query: Query) -> Iterator[Rows]:
        """See Warehouse."""
        with self._connection() as connection:
            cursor = connection.cursor(arraysize=ROWS_AT_ONCE)
            try:
                cursor.execute(with_literals(query.sql, query.arguments))
                names = _names(cursor)
                while rows := cursor.fetchmany(ROWS_AT_ONCE):
                    yield [_in_utc(dict(zip(names, row, strict=True))) for row in rows]
            except Exception as error:
                raise WarehouseError(_first_line(error)) from error
            finally:
                with suppress(Exception):
                    cursor.close()

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        try:
            connection = connection or self._connect()
        except Exception as error:
            raise WarehouseError(
                f"No Spark Thrift server answers at {self.host}:{self.port} "
                f"({_first_line(error)}). Start it, and reload this page."
            ) from error
        try:
            yield connection
        except BaseException:
            # the connection itself may be what failed
            with suppress(Exception):
                connection.close()
            raise
        with self._lock:
            self._idle.append(connection)

    def _connect(self) -> Any:
        from pyhive import hive

        return hive.connect(
            self.host,
            self.port,
            self.user,
            database=self.schema,
            configuration={"set:hiveconf:spark.sql.session.timeZone": "UTC"},
        )


def _read(session: Any, query: Query) -> pa.Table:
    frame = session.sql(with_literals(query.sql, query.arguments))
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    # PySpark 3.5
    rows = _without_zones(frame).collect()
    return _table(frame.columns, [tuple(row) for row in rows])


def _read_at_once(session: Any, query: Query) -> pa.Table:
    """The rows with one Spark Connect request.

    `session.sql(…).toArrow()` sends three, and the server analyses the query in each of them.
    """
    from pyspark.sql.connect.plan import SQL

    plan = SQL(with_literals(query.sql, query.arguments), [], {}, []).to_proto(session.client)
    return session.client.to_table(plan, {})[0]


def _names(cursor: Any) -> list[str]:
    """Column names, without the table names that Hive's protocol prefixes."""
    return [column[0].rpartition(".")[2] for column in cursor.description]


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> pa.Table:
    found = [_in_utc(dict(zip(names, row, strict=True))) for row in rows]
    return pa.Table.from_pylist(found) if found else pa.table({name: [] for name in names})


def _without_zones(frame: Any) -> Any:
    """A frame whose times have no zone: otherwise Python converts them to its own zone."""
    return frame.selectExpr(
        *(
            f"cast(`{name}` as timestamp_ntz) as `{name}`" if kind == "timestamp" else f"`{name}`"
            for name, kind in frame.dtypes
        )
    )


def _in_utc(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.replace(tzinfo=timezone.utc) if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
