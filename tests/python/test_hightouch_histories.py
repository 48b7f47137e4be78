"""Incremental builds from growing tables of Hightouch, compared with the computation."""

from collections.abc import Callable

from conftest import Warehouse
from helpers.growing_sources import build_in_steps
from oracle.random_hightouch import SHAPES, random_hightouch


def test_every_build_of_growing_tables_matches_the_specification(
    warehouse: Callable[..., Warehouse],
) -> None:
    # each shape of a source once; tests/long has more steps
    histories = [random_hightouch(seed) for seed in range(len(SHAPES))]
    build_in_steps(warehouse("growing_tables"), histories, step_count=2)
