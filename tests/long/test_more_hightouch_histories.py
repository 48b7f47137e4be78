"""More histories of Hightouch's tables than the daily tests have, through all of their steps."""

from collections.abc import Callable

import pytest

from conftest import Warehouse
from helpers.growing_sources import build_in_steps
from oracle.random_hightouch import SHAPES, random_hightouch

# no history has more
STEPS = 5


@pytest.mark.parametrize("first", range(0, 4 * len(SHAPES), len(SHAPES)))
def test_every_build_of_growing_tables_matches_the_specification(
    warehouse: Callable[..., Warehouse], first: int
) -> None:
    histories = [random_hightouch(seed) for seed in range(first, first + len(SHAPES))]
    build_in_steps(warehouse("growing_tables"), histories, step_count=STEPS)
