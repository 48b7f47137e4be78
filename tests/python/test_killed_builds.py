"""A build that is killed at any moment costs nothing but its own time: the next one is right."""

from datetime import timedelta
from pathlib import Path

from histories import Remembered, many_histories
from killing import Death, Moment, build_and_read, kill, start_of
from oracle import COLUMNS
from oracle.random_words import DAY_ONE
from retained import differing_tables

AS_OF = tuple(DAY_ONE + timedelta(minutes=minutes) for minutes in (300, 500))


def test_a_killed_build_leaves_nothing_to_repair(tmp_path: Path) -> None:
    first, second = many_histories(range(200, 208), AS_OF).steps
    remembered = Remembered(tmp_path / "lake")
    remembered.step(first)
    # in the first build ever, in the middle
    moment = Moment(start_of("int_changelog__built"), is_whole_group=False)
    assert kill(tmp_path, ("run",), moment)
    # in the second, with all loaded and nothing committed
    death = Death(second, "sync_load_current")
    built = build_and_read(tmp_path, first.as_of, death).tables
    assert differing_tables(remembered.tables(first.as_of), built, COLUMNS) == {}

    remembered.see()
    built = build_and_read(tmp_path, second.as_of).tables
    assert differing_tables(remembered.tables(second.as_of), built, COLUMNS) == {}
