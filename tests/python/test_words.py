"""Words that a project maps itself: the tables are as if they had been known from the start.

`tests/long/test_words_over_time.py` has what builds, compactions and second thoughts do to them.
"""

from collections.abc import Callable

from conftest import Warehouse
from helpers.unknown_words_lake import (
    KNOWN,
    LAKE,
    UNKNOWN,
    WORDS,
    build,
    changelog,
    last_load,
    settings,
)
from helpers.unknown_words_lake import status_of_halted as status
from oracle.writing import write_file


def test_words_that_are_mapped_later_count_from_the_start(
    warehouse: Callable[[], Warehouse],
) -> None:
    built = warehouse()
    for file in LAKE:
        write_file(built.lake, file)
    build(built, None)
    assert (changelog(built), status(built)) == (UNKNOWN, "succeeded")
    assert built.dbt("test", "--select", "assert_new_words_are_known", variables=settings(None))
    (line,) = [one for one in built.said if "assert_new_words_are_known: see" in one]
    assert "say in the var sync_logs_words what they mean" in line

    build(built, WORDS)
    assert (changelog(built), status(built)) == (KNOWN, "failed")
    # the sync whose records have known words is not computed again, and no file is read again
    assert last_load(built, "replayed_sync_count", "landed_record_count", "new_file_count") == (
        (1, 0, 0)
    )
