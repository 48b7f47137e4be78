"""A build that is killed costs nothing but its own time: the next one is right.

Here when all is loaded and nothing committed; tests/long/test_crashes.py has many moments.
"""

from datetime import timedelta
from pathlib import Path

from histories import many_histories
from killing import Moment, build_and_read, kill, start_of
from oracle import COLUMNS, compute, differences, read_lake, write_all
from oracle.random_words import DAY_ONE

AS_OF = DAY_ONE + timedelta(minutes=500)


def test_a_killed_build_leaves_nothing_to_repair(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    for history in many_histories(range(200, 208), (AS_OF,)).histories:
        write_all(lake, history)
    moment = Moment(start_of("sync_load_current"), is_whole_group=False)
    assert kill(tmp_path, ("run",), moment)
    built = build_and_read(tmp_path, AS_OF).tables
    expected = compute(read_lake(lake), AS_OF)
    for table, columns in COLUMNS.items():
        rows = built[table]
        shown = [column for column in columns if not rows or column in rows[0]]
        assert differences(expected[table], rows, shown) == [], table
