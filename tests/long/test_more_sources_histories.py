"""More histories of vendors' tables than the daily tests have, through all of their steps."""

from collections.abc import Callable

import pytest

from conftest import Warehouse
from helpers.growing_sources import build_in_steps
from oracle.random_hightouch import SHAPES as HIGHTOUCH_SHAPES
from oracle.random_hightouch import random_hightouch
from oracle.random_names import random_names
from oracle.random_rudderstack import SHAPES as RUDDERSTACK_SHAPES
from oracle.random_rudderstack import random_rudderstack
from oracle.random_writeback import SHAPES, random_writeback

# no history has more
STEPS = 5


@pytest.mark.parametrize("first", range(0, 3 * len(SHAPES), len(SHAPES)))
def test_every_build_of_growing_tables_matches_the_specification(
    warehouse: Callable[..., Warehouse], first: int
) -> None:
    histories = [random_writeback(seed) for seed in range(first, first + len(SHAPES))]
    histories += [
        random_rudderstack(seed) for seed in range(first, first + len(RUDDERSTACK_SHAPES))
    ]
    names = random_names(first, histories)
    build_in_steps(warehouse("growing_vendors"), histories, step_count=STEPS, names=names)


@pytest.mark.parametrize("first", range(0, 4 * len(HIGHTOUCH_SHAPES), len(HIGHTOUCH_SHAPES)))
def test_every_build_of_growing_tables_of_hightouch_matches_the_specification(
    warehouse: Callable[..., Warehouse], first: int
) -> None:
    seeds = range(first, first + len(HIGHTOUCH_SHAPES))
    build_in_steps(warehouse("growing_tables"), list(map(random_hightouch, seeds)), STEPS)


# seed 1 changes nothing but pairs in some runs
@pytest.mark.parametrize("seed", [1])
def test_rows_that_change_in_pairs_are_read_again(
    warehouse: Callable[..., Warehouse], seed: int
) -> None:
    # each row is there twice, so equal hashes of rows must not cancel out
    history = random_rudderstack(seed, has_doubled_changes=True)
    build_in_steps(warehouse("doubled_rows"), [history], step_count=2)
