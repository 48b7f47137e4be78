"""What is removed from a warehouse, and what is kept: prunes, purges and settings."""

from dataclasses import dataclass
from datetime import datetime

from .history import RunKey, Sync, SyncKey
from .rows import Row


@dataclass(frozen=True)
class Prune:
    """A prune. Without days, the sync's settings apply; without ids, it covers all syncs."""

    now: datetime
    retention_days: float | None = None
    organization_id: str | None = None
    sync_id: str | None = None

    def concerns(self, sync: Sync) -> bool:
        """Whether the prune covers a sync."""
        organizations, syncs = (None, sync.organization_id), (None, sync.sync_id)
        return self.organization_id in organizations and self.sync_id in syncs


@dataclass(frozen=True)
class Purge:
    """A purge of one record from a sync, or from all syncs of an organisation."""

    organization_id: str
    identifier: str
    sync_id: str | None = None

    def concerns(self, sync_key: SyncKey, identifier: object) -> bool:
        """Whether the purge covers a record of a sync."""
        organization_id, sync_id = sync_key
        return (
            organization_id == self.organization_id
            and self.sync_id in (None, sync_id)
            and identifier == self.identifier
        )


@dataclass(frozen=True)
class SyncSettings:
    """What is kept of a sync, with default values."""

    organization_id: str
    sync_id: str
    is_active: bool = True
    keep_changelog: bool = True
    keep_snapshot: bool = True
    keep_runs: bool = True
    retention_days: float | None = None


Settings = tuple[SyncSettings, ...]


def settings_of(sync_key: SyncKey, settings: Settings) -> SyncSettings:
    """Return the settings of a sync, or the defaults if it has none."""
    for one in settings:
        if (one.organization_id, one.sync_id) == sync_key:
            return one
    return SyncSettings(*sync_key)


def sync_key_of(row: Row) -> SyncKey:
    """Return the sync that a row belongs to."""
    return str(row["organization_id"]), str(row["sync_id"])


def run_key_of(row: Row) -> RunKey:
    """Return the run that a row belongs to."""
    return *sync_key_of(row), str(row["sync_run_id"])


def kept_tables(tables: dict[str, list[Row]], settings: Settings) -> dict[str, list[Row]]:
    """Leave out the rows that the settings do not keep."""

    def kept(table: str, setting: str) -> list[Row]:
        return [
            row
            for row in tables[table]
            if getattr(settings_of(sync_key_of(row), settings), setting)
        ]

    return tables | {
        "sync_changelog": kept("sync_changelog", "keep_changelog"),
        "sync_snapshot": kept("sync_snapshot", "keep_snapshot"),
        "sync_runs": kept("sync_runs", "keep_runs"),
        "log_coverage": kept("log_coverage", "keep_runs"),
    }
