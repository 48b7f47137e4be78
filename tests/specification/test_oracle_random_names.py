"""Random fact tables and relations of names: they are hard, and are as the rules expect them."""

from functools import cache

from oracle.names import KINDS
from oracle.random_hightouch import random_hightouch
from oracle.random_names import names_in, random_names
from oracle.random_rudderstack import random_rudderstack
from oracle.random_writeback import SHAPES, random_writeback
from oracle.rows import COLUMNS
from oracle.source_history import SourceHistory, expected_answers, expected_tables
from specification.hard_names import features_of_names

SEEDS = range(6)
STEPS = 5
FEATURES = (
    *("fact table missing", "fact table comes", "fact table dropped", "fact column missing"),
    *("fact column comes or goes", "fact comes", "fact vanishes", "fact changes"),
    *("fact without id", "same facts", "differing facts", "fact id is a bigint"),
    *("fact id is a string", "names with organizations", "names without organizations"),
    *("no names", "name for all", "name of another kind", "name without id"),
    *("names with one id", "name is reported", "type is reported"),
    *(f"{kind} of {whom}" for kind in KINDS[:3] for whom in ("both", "the user", "the vendor")),
    *(
        f"{column} {feature}"
        for column in ("name", "type")
        for feature in (
            *("is null", "is vendor's", "is user's", "is sync's", "is vendor's before user's"),
            *("is vendor's before sync's", "is user's before sync's"),
            *("is reported before sync's", "is user's because the vendor's is null"),
            *("comes", "changes", "goes", "of a cleaned run changes"),
        )
    ),
)


@cache
def histories(seed: int) -> list[SourceHistory]:
    ours = [random_writeback(one) for one in range(seed * 8, seed * 8 + 8)]
    return [*ours, random_rudderstack(seed), random_hightouch(seed)]


def test_every_feature_occurs() -> None:
    counted = {
        seed: features_of_names(histories(seed), random_names(seed, histories(seed)), STEPS)
        for seed in SEEDS
    }
    rare = [name for name in FEATURES if sum(name in found for found in counted.values()) < 2]
    assert not rare, counted


def test_tables_are_sound() -> None:
    for seed in SEEDS:
        names = random_names(seed, histories(seed))
        assert names == random_names(seed, histories(seed))
        assert len(names) == max(len(one.steps) for one in histories(seed))
        for step in range(STEPS):
            table = names_in(names, step)
            assert table is not None
            assert {"kind", "id", "name", "type"} <= set(table.columns)
            assert all(set(row) == set(table.columns) for row in table.rows)
            found = expected_tables(histories(seed), step, names=table.rows)
            assert set(found) == set(COLUMNS)
            for name, rows in found.items():
                assert all(set(row) == set(COLUMNS[name]) for row in rows)
            expected_answers(histories(seed), step, names=table.rows)
    assert names_in((), 0) is None


# Facts are drawn with their own numbers, so that a shape without them has the same rows.
def test_some_shapes_have_no_facts() -> None:
    for seed, shape in enumerate(SHAPES):
        steps = random_writeback(seed).steps
        if not shape.has_facts:
            assert {name for step in steps for name in step.tables} == {"sync_log"}
    assert {shape.has_facts for shape in SHAPES} == {True, False}
