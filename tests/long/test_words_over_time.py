"""Words that a project maps itself, through killed builds, compaction and reverted mappings."""

from collections.abc import Callable

from conftest import Warehouse
from helpers.growing_warehouse import unlike
from helpers.unknown_words_lake import (
    KNOWN,
    LAKE,
    UNKNOWN,
    WORDS,
    build,
    changelog,
    everything,
    last_load,
    settings,
    status_of_halted,
)
from oracle.writing import write_file


def test_words_mapped_later_look_as_if_always_known(
    warehouse: Callable[[str], Warehouse],
) -> None:
    built = warehouse("stepwise")
    for file in LAKE:
        write_file(built.lake, file)
    build(built, None)
    assert changelog(built) == UNKNOWN
    assert status_of_halted(built) == "succeeded"
    assert built.dbt("test", "--select", "assert_new_words_are_known", variables=settings(None))
    told = "assert_new_words_are_known: see stepwise.sync_records."
    (line,) = [line for line in built.said if line.startswith(told)]
    assert "say in the var sync_logs_words what they mean" in line
    as_unknown = everything(built)

    # a build that stops before its commit changes nothing that readers see
    without_commit = ("--exclude", "sync_load_current+")
    assert built.dbt("run", *without_commit, variables=settings(WORDS)), built.failures()
    assert unlike(everything(built), as_unknown) == {}

    build(built, WORDS)
    assert changelog(built) == KNOWN
    assert status_of_halted(built) == "failed"
    # the sync whose records have only known words is not recomputed, and no file is read again
    assert last_load(built, "replayed_sync_count", "landed_record_count", "new_file_count") == (
        (1, 0, 0)
    )
    fresh = warehouse("fresh")
    build(fresh, WORDS)
    assert changelog(fresh) == KNOWN
    as_known = everything(fresh)
    assert unlike(everything(built), as_known) == {}

    # a compaction without mapped words keeps those of the last build
    assert built.operation("sync_logs_compact", settings(None)), built.failures()
    assert last_load(built, "operation") == ("compact",)
    assert unlike(everything(built), as_known) == {}
    build(built, WORDS)
    assert last_load(built, "skipped_reason") == ("nothing new",)

    # reverted mappings leave no trace
    build(built, None)
    assert unlike(everything(built), as_unknown) == {}
