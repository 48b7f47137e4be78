"""A build that is killed costs nothing but its own time: the next one is right.

Killed here with all loaded and nothing committed, in `tests/long/test_crashes.py` at any moment.
"""

from datetime import timedelta
from pathlib import Path

from histories import Remembered, many_histories
from killing import Death, build_and_die, build_and_read
from oracle import COLUMNS
from oracle.random_words import DAY_ONE
from retained import differing_tables

AS_OF = tuple(DAY_ONE + timedelta(minutes=minutes) for minutes in (300, 500))


def test_a_killed_build_leaves_nothing_to_repair(tmp_path: Path) -> None:
    first, second = many_histories(range(200, 208), AS_OF).steps
    remembered = Remembered(tmp_path / "lake")
    remembered.step(first)
    build_and_die(tmp_path, first.as_of, Death(second, "sync_load_current"))
    remembered.see()
    built = build_and_read(tmp_path, second.as_of)
    assert differing_tables(remembered.tables(second.as_of), built.tables, COLUMNS) == {}
    assert built.dead_loads() == []
