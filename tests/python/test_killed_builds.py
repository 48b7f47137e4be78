"""A build that is killed at any moment costs nothing but its own time: the next one is right."""

from datetime import timedelta
from pathlib import Path

from histories import Remembered, many_histories
from killing import Moment, build_and_read, kill, start_of
from oracle import COLUMNS
from oracle.random_words import DAY_ONE
from retained import differing_tables

AS_OF = tuple(DAY_ONE + timedelta(minutes=minutes) for minutes in (300, 500))
# in the first build ever, in the middle; in the second, with all loaded and nothing committed
MOMENTS = ("int_changelog__built", "sync_load_current")


def test_a_killed_build_leaves_nothing_to_repair(tmp_path: Path) -> None:
    histories = many_histories(range(200, 208), AS_OF)
    remembered = Remembered(tmp_path / "lake")
    for step, node in zip(histories.steps, MOMENTS, strict=True):
        remembered.step(step)
        moment = Moment(start_of(node), is_whole_group=False)
        assert kill(tmp_path, ("run",), moment)
        built = build_and_read(tmp_path, step.as_of).tables
        expected = remembered.tables(step.as_of)
        assert differing_tables(expected, built, COLUMNS) == {}, node
