"""A prune, a purge and settings of syncs, compared with the independent computation of the tables.

`tests/long/test_retention.py` has more of each, refused operations and what a prune prints.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from conftest import Warehouse
from helpers.compared_gaps import gaps_differing
from helpers.growing_warehouse import times
from helpers.random_histories import many_histories
from helpers.retained_warehouse import Pair, files_holding
from long.test_retention import (
    ORDERLY,
    OWN,
    PERSON,
    SEEDS,
    changed,
    relation_of,
    run,
    some_settings,
    with_own,
)
from oracle.retention import Prune, Purge


def test_pruned_and_purged_histories_match_the_specification(
    warehouse: Callable[[str], Warehouse], home: Path, sensitive_project: Path
) -> None:
    first, second, third = many_histories(SEEDS, times(3), orderly=ORDERLY).steps
    # other tests use this schema name too, so dbt has already parsed the project for it
    pair = Pair(replace(warehouse("stepwise"), project=sensitive_project))
    pair.build(with_own(first, run("1", 10, PERSON, "b"), run("2", 80, PERSON)), "run")
    assert files_holding(home / "warehouse", PERSON) != []

    pair.prune(Prune(first.as_of, retention_days=0.03125))
    pruned = set(pair.retained.pruned)
    assert (OWN, "s", "1") in pruned
    late = run("3", 150, PERSON, "c"), run("0", 5, PERSON)
    pair.build(with_own(second, *late), "run")
    assert pair.retained.too_late != ()
    assert changed(pruned, second) > 10

    pair.purge(Purge(OWN, PERSON))
    assert files_holding(home / "warehouse", PERSON) == []
    settings = some_settings(pair.retained)
    relation = relation_of(pair.warehouse, settings)
    # the file of a purged record comes again
    again = with_own(third, run("2", 80, PERSON))
    pair.build(again, "run", settings=settings, settings_relation=relation)
    assert files_holding(home / "warehouse", PERSON) == []
    # With this seed, one record has a payload that is pruned, and one that its snapshot keeps.
    facts = pair.retained.facts()
    lost = [one for one in facts if one.kept.pruned & {run.key for run in one.sync.runs}]
    assert len(lost) >= 10
    assert gaps_differing(pair.warehouse, lost, seed=4) == {}
