"""Incremental builds from growing snapshots of Hightouch, compared with the computation."""

from collections.abc import Callable

from conftest import Warehouse
from helpers.growing_sources import build_in_steps
from oracle.random_hightouch_snapshots import random_snapshots

# Numbers as ids, `fields` that come later, and both reasons with groups; together every feature.
SEEDS = (139, 124, 68)


def test_every_build_of_growing_snapshots_matches_the_specification(
    warehouse: Callable[..., Warehouse],
) -> None:
    histories = [random_snapshots(seed) for seed in SEEDS]
    build_in_steps(warehouse("growing_snapshots"), histories, step_count=3)
