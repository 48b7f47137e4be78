"""Builds from tables of all vendors, killed while the tables grow; every row is compared.

After a kill there is one plain build and no repair. Before it, the tables sometimes change once
more, so that no build sees them as the killed one did.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from helpers.growing_sources import tables_differing, write
from helpers.killed_builds import Moment, build_and_read, kill, start_of
from long.source_files import put, sources
from oracle.random_hightouch import random_hightouch
from oracle.random_hightouch_snapshots import random_snapshots
from oracle.random_rudderstack import random_rudderstack
from oracle.random_writeback import random_writeback
from oracle.rows import Row
from oracle.source_history import SourceHistory


@dataclass(frozen=True)
class Attack:
    """A moment, and whether the tables change again before the next build."""

    moment: Moment
    changes_again: bool = False


# each round has three steps, like the shortest histories
ROUNDS = (
    (
        Attack(Moment(start_of("int_records__landed"))),
        Attack(Moment(start_of("int_run_metadata__landed"), seconds=1.0), changes_again=True),
    ),
    (
        Attack(Moment(start_of("sync_load_current"), seconds=0.2), changes_again=True),
        Attack(Moment(start_of("int_loads__recorded"), is_whole_group=False)),
    ),
)


@pytest.mark.parametrize("number", range(len(ROUNDS)))
def test_after_a_killed_build_the_tables_are_those_of_a_whole_one(
    tmp_path: Path, number: int
) -> None:
    seeds = (1 + 2 * number, 8 + number)
    histories = [
        *map(random_writeback, seeds),
        *map(random_rudderstack, seeds),
        *map(random_hightouch, (4 + number, 7 + number)),
        random_snapshots(124 + 15 * number),
    ]
    given = sources(tmp_path / "tables", histories)
    seen: list[int] = []
    step = 0
    for attack in ROUNDS[number]:
        write_all(tmp_path / "tables", histories, step)
        settings = {"sync_logs_as_of": as_of(histories, step).isoformat()}
        arguments = json.dumps({**settings, "sync_logs_sources": given})
        was_killed = kill(tmp_path, ("build", "--vars", arguments), attack.moment)
        # one that was killed after its commit has seen the tables, too
        outcomes = [[*seen, step], *([seen] if was_killed else [])]
        step += attack.changes_again
        write_all(tmp_path / "tables", histories, step)
        built = build_and_read(tmp_path, as_of(histories, step), sync_logs_sources=given)
        seen = outcome_of([[*one, step] for one in outcomes], histories, built.tables)
        assert built.dead_loads() == [], str(attack)
        step += 1


def write_all(root: Path, histories: Sequence[SourceHistory], step: int) -> None:
    """Write the tables of all sources as they are in a step."""
    for history in histories:
        write(history, step, partial(put, root))


def as_of(histories: Sequence[SourceHistory], step: int) -> datetime:
    """The time of a build."""
    return max(history.step(step).as_of for history in histories)


def outcome_of(
    outcomes: Sequence[list[int]],
    histories: Sequence[SourceHistory],
    found: Mapping[str, list[Row]],
) -> list[int]:
    """The steps that builds have seen, one of the possible lists; fails if none fits."""
    wrong = []
    for steps in outcomes:
        told = [after(history, steps) for history in histories]
        differing = tables_differing(told, len(steps) - 1, found)
        if not differing:
            return steps
        wrong.append(differing)
    raise AssertionError(json.dumps(wrong, indent=2, default=str))


def after(history: SourceHistory, steps: Sequence[int]) -> SourceHistory:
    """The history as builds have seen it."""
    return replace(history, steps=tuple(history.step(one) for one in steps))
