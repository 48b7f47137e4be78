"""Growing tables of all vendors in one warehouse, built in steps, compared with the computation."""

from collections.abc import Callable

from conftest import Warehouse
from helpers.growing_sources import build_in_steps
from oracle.random_drt import random_drt
from oracle.random_hightouch import random_hightouch
from oracle.random_hightouch_snapshots import random_snapshots
from oracle.random_names import random_names
from oracle.random_rudderstack import random_rudderstack
from oracle.random_writeback import random_writeback

# Shapes: ids as numbers with those of source and destination; mirror runs; ids of source and
# destination as texts, and time of logging later; messages and payloads dropped.
WRITEBACK_SEEDS = (1, 30, 8, 26)
# Shapes: the usual columns; ids as numbers; times later; empty at first.
RUDDERSTACK_SEEDS = (0, 1, 8, 22)
# Shapes: ids as numbers; a renamed reason; runs later; split groups later. tests/long has all.
HIGHTOUCH_SEEDS = (1, 4, 7, 11)
# Numbers as ids, `fields` that come later, and both reasons with groups; together every feature.
SNAPSHOT_SEEDS = (139, 124, 68)
# Several syncs, cut lines, cleared queues, a history that expires, runs that break off.
DRT_SEEDS = (0, 1, 2, 3, 4, 5)
# All ways to name a run, in its three steps.
NAMES_SEED = 17


def test_every_build_of_all_vendors_matches_the_specification(
    warehouse: Callable[..., Warehouse],
) -> None:
    histories = [
        *map(random_writeback, WRITEBACK_SEEDS),
        *map(random_rudderstack, RUDDERSTACK_SEEDS),
        *map(random_drt, DRT_SEEDS),
        random_hightouch(0),
    ]
    names = random_names(NAMES_SEED, histories)
    histories += map(random_hightouch, HIGHTOUCH_SEEDS)
    histories += map(random_snapshots, SNAPSHOT_SEEDS)
    build_in_steps(warehouse("growing_vendors"), histories, step_count=3, names=names)
