"""What each channel has acknowledged: one SQLite file, which one notifier at a time can open.

SQLite locks it through the system, so a killed notifier leaves no lock, and it is on disk before
`remember` returns.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

VERSION = 1
TABLES = (
    "create table channels (channel text primary key) without rowid",
    "create table told (channel text, change_id text, primary key (channel, change_id)) "
    "without rowid",
)


class MemoryInUseError(Exception):
    """Another notifier is at work."""


class UnusableMemoryError(Exception):
    """The memory cannot be read or written; the message says what to do."""


class Memory:
    """The changes that each channel was told."""

    def __init__(self, file: Path, is_read_only: bool = False) -> None:
        """Open and lock it. Raises MemoryInUseError and UnusableMemoryError.

        `is_read_only` creates no file; nothing may be remembered then.
        """
        self._file = file
        is_there = not is_read_only or file.exists()
        try:
            if not is_read_only:
                file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                file if is_there else ":memory:", timeout=0, isolation_level=None
            )
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

    def told(self, channel: str) -> set[str] | None:
        """The ids of the changes that a channel was told; None if it is new."""
        try:
            if not self._connection.execute(
                "select 1 from channels where channel = ?", [channel]
            ).fetchall():
                return None
            found = self._connection.execute(
                "select change_id from told where channel = ?", [channel]
            )
            return {change_id for (change_id,) in found}
        except sqlite3.Error as error:
            raise self._explained(error) from None

    def remember(self, channel: str, change_ids: Iterable[str]) -> None:
        """Record that a channel was told some changes, all of them or none, durably."""
        rows = [(channel, change_id) for change_id in change_ids]
        try:
            self._connection.execute("begin immediate")
            self._connection.execute("insert or ignore into channels values (?)", [channel])
            self._connection.executemany("insert or ignore into told values (?, ?)", rows)
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
