"""Words that a project maps itself: the tables look as if the words had always been known.

`test_words_over_time.py` has killed builds, compaction and reverted mappings.
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


def test_words_that_are_mapped_later_apply_from_the_start(
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
    # the sync whose records have only known words is not recomputed, and no file is read again
    assert last_load(built, "replayed_sync_count", "landed_record_count", "new_file_count") == (
        (1, 0, 0)
    )
