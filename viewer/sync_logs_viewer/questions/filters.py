"""The subject of a query: a sync, a run, some of a run's records."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from .ask import Value


@dataclass(frozen=True)
class Sync:
    """A sync of an organisation."""

    organization_id: str
    sync_id: str

    def values(self) -> dict[str, Value]:
        """Its arguments."""
        return asdict(self)


@dataclass(frozen=True)
class Run(Sync):
    """A run of a sync."""

    sync_run_id: str


@dataclass(frozen=True)
class Record:
    """An identifier, in clear or as its hash, in all syncs of an organisation."""

    organization_id: str
    identifier: str
    is_hashed: bool

    def values(self) -> dict[str, Value]:
        """Its arguments."""
        return asdict(self)


@dataclass(frozen=True)
class RecordFilters:
    """Which records of a run; None switches a filter off.

    An empty `failure_reason` means rows without one. `status` is one of `STATUSES`.
    """

    status: str | None = None
    operation: str | None = None
    failure_reason: str | None = None
    identifier: str | None = None
    identifier_prefix: str | None = None

    def values(self) -> dict[str, Value]:
        """Its arguments."""
        return asdict(self)


STATUSES = ("Success", "Rejected", "Invalid", "Not attempted", "Unknown")


def word_of(given: str, allowed: Sequence[str]) -> str | None:
    """The allowed word that equals the given one in any case; None if there is none."""
    return {word.casefold(): word for word in allowed}.get(given.casefold())
