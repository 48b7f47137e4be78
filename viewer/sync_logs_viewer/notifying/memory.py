"""What each channel has acknowledged: one SQLite file, which one notifier at a time can open.

SQLite locks it through the system, so a killed notifier leaves no lock, and it is on disk before
`remember` returns.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from types import TracebackType

from .changes import Change

VERSION = 1
# all that is known of an alert whose row is gone; messages and identifiers are not kept
KEPT = ("organization_id", "sync_id", "rule")
TABLES = (
    "create table channels (channel text primary key) without rowid",
    "create table told (channel text, alert_id text, number integer, kind text, severity text, "
    "organization_id text, sync_id text, rule text, "
    "primary key (channel, alert_id, number, kind)) without rowid",
)


class MemoryInUseError(Exception):
    """Another notifier is at work."""


class UnusableMemoryError(Exception):
    """The memory cannot be read or written; the message says what to do."""


class Memory:
    """The changes that each channel was told."""

    def __init__(self, file: Path, is_read_only: bool = False) -> None:
        """Open and lock it. Raises MemoryInUseError and UnusableMemoryError.

        `is_read_only` creates and changes no file, and holds no lock; what is remembered then is
        forgotten.
        """
        self._file = file
        try:
            if is_read_only:
                self._connection = _copy(file)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                self._connection = sqlite3.connect(file, timeout=0, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._explained(error) from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise self._explained(error) from None

    def _prepare(self) -> None:
        self._connection.execute("pragma locking_mode = exclusive")
        self._connection.execute("pragma synchronous = extra")
        self._connection.execute("begin exclusive")
        (version,) = self._connection.execute("pragma user_version").fetchone()
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"it has version {version} instead of {VERSION}")
        if version == 0:
            for statement in TABLES:
                self._connection.execute(statement)
            self._connection.execute(f"pragma user_version = {VERSION}")
        self._connection.execute("commit")

    def __enter__(self) -> "Memory":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()

    def told(self, channel: str) -> list[Change] | None:
        """The changes that a channel was told, with what is kept of them; None if it is new."""
        columns = ", ".join(("kind", "alert_id", "number", "severity", *KEPT))
        try:
            if not self._connection.execute(
                "select 1 from channels where channel = ?", [channel]
            ).fetchall():
                return None
            found = self._connection.execute(
                f"select {columns} from told where channel = ?", [channel]
            ).fetchall()
        except sqlite3.Error as error:
            raise self._explained(error) from None
        return [
            Change(
                kind,
                {
                    **dict(zip(KEPT, kept, strict=True)),
                    **{"alert_id": alert_id, "severity": severity, "worst_severity": severity},
                },
                alert_id,
                number,
            )
            for kind, alert_id, number, severity, *kept in found
        ]

    def remember(self, channel: str, changes: Iterable[Change]) -> None:
        """Record that a channel was told some changes, all of them or none, durably."""
        rows = [
            [channel, one.alert_id, one.number, one.kind, one.severity]
            + [one.alert[name] for name in KEPT]
            for one in changes
        ]
        try:
            self._connection.execute("begin immediate")
            self._connection.execute("insert or ignore into channels values (?)", [channel])
            self._connection.executemany(
                "insert or ignore into told values (?, ?, ?, ?, ?, ?, ?, ?)", rows
            )
            self._connection.execute("commit")
        except sqlite3.Error as error:
            raise self._explained(error) from None

    def _explained(self, error: Exception) -> Exception:
        if getattr(error, "sqlite_errorname", str(error)) in ("SQLITE_BUSY", "database is locked"):
            return MemoryInUseError(
                f"Another notifier is at work with {self._file}. It sends what is due."
            )
        return UnusableMemoryError(
            f"The memory of notifications in {self._file} cannot be used ({error}). Free or move "
            "it, or name another file in SYNC_LOGS_NOTIFY_MEMORY; with an empty memory, the alerts "
            "that are open now are sent again."
        )


def _copy(file: Path) -> sqlite3.Connection:
    """A copy of a database in memory; an empty one if there is no file."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    if file.exists():
        address = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=0, isolation_level=None)) as source:
            # a lock for readers, without which `backup` would wait until a notifier has ended
            source.execute("begin")
            source.execute("pragma user_version").fetchall()
            source.backup(copy)
    return copy
