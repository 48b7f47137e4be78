"""Clusters of patterns by scikit-learn; `test_alerts.py` compares the table of a build."""

import random
import sys

import pytest

from dbt_sync_logs import error_clusters
from dbt_sync_logs.error_clusters import NoClusteringError, are_of, clustered, rows_of
from oracle.answers_clusters import clusters_of, words_of
from oracle.cluster_examples import example_groups
from oracle.pattern_examples import examples

HARD = ("", "<id>", "42", "naïve Größe <a> ist ungültig", "ÜBER überErr", "it ISN'T valid", "a²b")


def groups_of(patterns: list[str]) -> list[list[str]]:
    found: dict[int, list[str]] = {}
    for pattern, cluster in clustered(patterns).items():
        found.setdefault(cluster, []).append(pattern)
    return sorted(sorted(group) for group in found.values())


def test_messages_of_real_systems_are_grouped_as_by_hand() -> None:
    patterns = [pattern for group in example_groups() for pattern in group]
    random.Random(1).shuffle(patterns)
    assert groups_of(patterns) == example_groups()


def test_any_selection_of_messages_is_grouped_as_specified() -> None:
    patterns = [pattern for group in example_groups() for pattern in group]
    chance = random.Random(2)
    for size in (2, 5, 20, 40):
        some = chance.sample(patterns, size)
        assert groups_of(some) == sorted(sorted(group) for group in clusters_of(some))


def test_words() -> None:
    for pattern in [*HARD, *(one.pattern for one in examples())]:
        assert error_clusters.words(pattern) == words_of(pattern)


def test_few_patterns_and_patterns_without_words() -> None:
    assert clustered([]) == {}
    assert clustered(["b"]) == {"b": 0}
    # the number of a cluster is that of its first pattern in byte order
    assert clustered(["<id>", "42"]) == {"42": 0, "<id>": 1}
    assert clustered(["Z: bad email", "42", "A: bad email"]) == {
        **{"42": 0, "A: bad email": 1, "Z: bad email": 1}
    }


def test_rows_of_an_earlier_load_hold_for_the_same_patterns_and_rules() -> None:
    rows = rows_of({"h1": "bad email", "h2": "email bad"})
    assert rows == [("h1", 0, 1), ("h2", 0, 1)]
    known = [(one, version) for one, _, version in rows]
    assert are_of({"h1": "", "h2": ""}, known)
    assert not are_of({"h1": ""}, known)
    assert not are_of({"h1": "", "h2": "", "h3": ""}, known)
    assert not are_of({"h1": "", "h2": ""}, [("h1", 0), ("h2", 0)])


def test_without_scikit_learn_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    monkeypatch.setattr(
        "dbt.adapters.events.logging.AdapterLogger.info", lambda _, line: said.append(line)
    )
    with pytest.raises(NoClusteringError):
        clustered(["a", "b"])
    assert rows_of({"h": "bad email"}) == []
    assert said == [
        "error_clusters is empty: scikit-learn is not installed. "
        "Install it: pip install '<clone>[clusters]'"
    ]
