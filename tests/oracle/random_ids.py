"""Random ids of syncs, runs and records of a source, which are texts or numbers."""

from collections.abc import Sequence
from random import Random

from .random_lakes import RUN_IDS
from .random_words import IDENTIFIERS

SYNC_IDS = ("11", "12", "s-7", 'sync "b"', "o'brien\\", "two\nlines \U0001f600")
TEXT_RUN_IDS = (*RUN_IDS, "a", 'say "run"', "back\\slash", "two\nlines", "\U0001f600", " 9")
NUMBER_SYNC_IDS = (11, 12, 9, 100, 2**53 + 1)
NUMBER_RUN_IDS = (9, 10, 100, 2, 0, 99, 1000, 101, 11, 2**53 + 1, 2**63 - 1)

SourceId = str | int


def random_sync_ids(rng: Random, has_integer_ids: bool, count: int) -> list[SourceId]:
    """Draw the ids of syncs."""
    ids: Sequence[SourceId] = NUMBER_SYNC_IDS if has_integer_ids else SYNC_IDS
    return rng.sample(ids, count)


def random_run_ids(rng: Random, has_integer_ids: bool, count: int) -> list[SourceId]:
    """Draw the ids of runs of one sync."""
    ids: Sequence[SourceId] = NUMBER_RUN_IDS if has_integer_ids else TEXT_RUN_IDS
    return rng.sample(ids, count)


def random_pool(rng: Random, has_integer_ids: bool) -> tuple[SourceId, ...]:
    """Draw the ids of the few records of a sync."""
    ids: Sequence[SourceId] = range(12) if has_integer_ids else IDENTIFIERS
    return tuple(rng.sample(ids, rng.randint(3, 8)))
