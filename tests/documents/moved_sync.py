"""The truth about the sync of the demo that moved: what its destination had after each run."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from sync_logs_demo.hightouch import FIRST_RUNS, MOVED_SYNC, Hightouch
from sync_logs_demo.simulation import Simulation
from sync_logs_demo.syncs import BASE_RUNS


class Membership(NamedTuple):
    """When a record was in, with which vendor, and whether only the old one put it in."""

    row_id: str
    entered_at: float
    entered_with: str
    exited_at: float | None
    exited_with: str | None
    is_left_behind: bool


class Stage(NamedTuple):
    """A run: what the destination had after it, and when each record was accepted."""

    vendor: str
    keys: set[str]
    accepted_at: dict[str, datetime]


def stages() -> Iterator[Stage]:
    """All runs at both vendors."""
    census = Simulation(MOVED_SYNC)
    for number in range(1, BASE_RUNS + 1):
        times = {
            str(row.identifier): row.batch_ended_at
            for row in census.run(number).rows
            if row.status == "succeeded"
        }
        yield Stage("census", census.destination.keys(), times)
    hightouch = Hightouch(census.destination)
    for number in range(1, FIRST_RUNS + 1):
        run = hightouch.run(number)
        times = {str(row.row.key): run.finished_at for row in run.rows if row.status == "succeeded"}
        yield Stage("hightouch", census.destination.keys(), times)
    census.destination.close()


def memberships() -> set[Membership]:
    """The history of all records, from the differences of what the destination had."""
    entries: dict[str, tuple[float, str]] = {}
    found: set[Membership] = set()
    before: set[str] = set()
    known_to_hightouch: set[str] = set()
    for vendor, keys, accepted_at in stages():
        known_to_hightouch |= accepted_at.keys() if vendor == "hightouch" else set()
        for key in keys - before:
            entries[key] = (accepted_at[key].timestamp(), vendor)
        for key in before - keys:
            left_at = accepted_at[key].timestamp()
            found.add(Membership(key, *entries.pop(key), left_at, vendor, False))
        before = keys
    return found | {
        Membership(key, *entry, None, None, key not in known_to_hightouch)
        for key, entry in entries.items()
    }
