"""The rule of alerts about payloads (docs/answers.md): expected values worked out by hand."""

import json
from random import Random
from typing import Any

import pytest

from oracle import AlertRule
from oracle.answers_facts import facts_of
from oracle.answers_payload_changes import news_counts
from oracle.building import at, batch, lake_of, row
from oracle.history import read_syncs
from oracle.lake import BatchFile
from oracle.retention import Retained
from specification.small_alerts import alerts, courses, values
from specification.small_lake_answers import AS_OF, picked
from specification.small_payloads import changes, run_of
from specification.small_retention import before as pruned_before
from specification.small_retention import built, kept

RULE = "payload_schema"
Payload = dict[str, Any]
BOTH: Payload = {"a": 1, "b": 1}


def before(count: int, payload: Payload | None = None) -> list[BatchFile]:
    """Write healthy runs 1, 2, … of ten payloads."""
    return [run_of(n, *[payload or BOTH] * 10) for n in range(1, count + 1)]


# What a run of ten payloads after five healthy ones may change.
CHANGES: list[tuple[str, list[Payload]]] = [
    ("appeared", [BOTH | {"c": 1}] * 10),
    ("new type", [BOTH | {"b": "x"}] * 10),
    ("vanished", [{"a": 1}] * 10),
    ("all null", [BOTH | {"b": None}] * 10),
]


# It opens after five runs with payloads, and the next one like it ends it.
@pytest.mark.parametrize(("change", "payloads"), CHANGES)
def test_each_change(change: str, payloads: list[Payload]) -> None:
    for count, is_news in ((4, False), (5, True)):
        run = count + 1
        files = [*before(count), run_of(run, *payloads)]
        assert changes(*files, columns="sync_run_id change_type") == [(f"{run}", change)]
        opened = [(f"{run}", None, 1.0)] if is_news else []
        assert values(RULE, *files) == opened
        files.append(run_of(run + 1, *payloads))
        resolved = [(f"{run}", f"{run + 1}", 1.0)] if is_news else []
        assert values(RULE, *files) == resolved


# What is new must be in ten payloads; what is missing would have been in ten.
def test_changes_of_few_payloads() -> None:
    more: list[Payload] = [BOTH | {"c": 1}, BOTH | {"b": "x"}]
    for payload in more:
        for count, opened in ((9, []), (10, [("6", None, 1.0)])):
            files = [*before(5), run_of(6, *[payload] * count, *[BOTH] * 20)]
            assert len(changes(*files)) == 1
            assert values(RULE, *files) == opened
    # the types of both kinds count together
    mixed = [*[BOTH | {"b": "x"}] * 6, *[BOTH | {"b": []}] * 4]
    assert values(RULE, *before(5), run_of(6, *mixed)) == [("6", None, 1.0)]
    less: list[Payload] = [{"a": 1}, {"a": 1, "b": None}]
    for payload in less:
        files = [*before(5), run_of(6, *[payload] * 9)]
        assert changes(*files) == []
        assert values(RULE, *files) == []


# All fields of a run that changed count, but those of few payloads do not.
def test_the_number_of_fields() -> None:
    payloads: list[Payload] = [{"b": "x", "c": 1, "d": 1}] * 10 + [{"b": "x", "rare": 1}]
    files = [*before(5), run_of(6, *payloads)]
    assert len(changes(*files)) == 5
    assert values(RULE, *files) == [("6", None, 4.0)]
    (found,) = [one for one in alerts(*files) if one["rule"] == RULE]
    assert (found["severity"], found["threshold"]) == ("warning", 1.0)
    rules = (AlertRule(RULE, "warning", 4), AlertRule(RULE, "critical", 5))
    assert courses(RULE, *files, alert_rules=rules) == [("6", None, None, "warning", "warning")]
    assert values(RULE, *files, alert_rules=rules[1:]) == []
    assert values(RULE, *files, alert_rules=(AlertRule(RULE, "off"),)) == []


# A run without payloads neither ends an alert nor is one of the five before.
def test_runs_without_payloads() -> None:
    changed = BOTH | {"b": "x"}
    nothing = [run_of(5, None), run_of(6, "text"), run_of(7)]
    assert values(RULE, *before(4), *nothing, run_of(8, *[changed] * 10)) == []
    files = [*before(4), *nothing, run_of(8, {}), run_of(9, *[changed] * 10)]
    assert values(RULE, *files) == [("9", None, 1.0)]
    files += [run_of(10, None), run_of(11, "text")]
    assert values(RULE, *files) == [("9", None, 1.0)]
    files.append(run_of(12, {}))
    assert values(RULE, *files) == [("9", "12", 1.0)]


# One that is not settled opens nothing, but counts as a run before, and is compared.
def test_a_run_that_is_not_settled() -> None:
    changed = [BOTH | {"b": "x"}] * 10
    files = [*before(5), run_of(6, *changed)]
    assert values(RULE, *files, as_of=at(7)) == []
    # a run that replaces all records, and whose end is not known
    text = json.dumps(BOTH | {"b": "x"})
    rows = [row(f"{n}", "mirror", "succeeded", payload=text, started=2) for n in range(10)]
    open_run = batch("2", *rows)
    files = [run_of(n, *[BOTH] * 10) for n in (1, 3, 4, 5)]
    assert changes(open_run, *files, columns="sync_run_id change_type") == [("2", "new type")]
    last = run_of(6, *[BOTH | {"c": 1}] * 10)
    assert values(RULE, open_run, *files, last) == [("6", None, 1.0)]
    assert values(RULE, *files, last) == []


def test_after_a_prune_and_without_a_changelog() -> None:
    files = [*before(5), run_of(6, *[BOTH | {"b": "x"}] * 10)]

    def opened(retained: Retained) -> list[tuple[Any, ...]]:
        return picked(retained.answers()["sync_alerts"], "rule opened_sync_run_id value")

    expected = [(RULE, "6", 1.0)]
    whole = built(*files)
    assert opened(whole) == expected
    for minute in (4, 7):
        assert opened(whole.after_prune(pruned_before(minute)).built()) == expected
    assert opened(kept(*files, keep_changelog=False)) == expected


# What most records have, what few have, what is null often, and what has two types.
def healthy_payload(rng: Random) -> Payload:
    payload: Payload = {"id": rng.randrange(1000), "name": "n", "plan": rng.choice("abc")}
    if rng.random() < 0.5:
        payload["phone"] = rng.choice((None, "1", 1))
    if rng.random() < 0.2:
        payload["tags"] = []
    payload["left_at"] = "2025-03-01" if rng.random() < 0.2 else None
    return payload


def news(*runs: list[Payload]) -> dict[int, int]:
    """How many changes are news in each run that has some, from 0."""
    files = [run_of(n, *payloads) for n, payloads in enumerate(runs)]
    (sync,) = read_syncs(lake_of(*files), AS_OF)
    return {run: count for run, count in news_counts(facts_of(sync)).items() if count}


# Runs are about as large as each other. A fault of one run is found in it, and only there.
@pytest.mark.parametrize("seed", range(3))
def test_healthy_runs(seed: int) -> None:
    rng = Random(seed)
    runs = [
        [healthy_payload(rng) for _ in range(round(60 * rng.lognormvariate(0, 0.25)))]
        for _ in range(200)
    ]
    assert news(*runs) == {}
    runs[100] = [one | {"id": f"{one['id']}"} for one in runs[100]]
    assert news(*runs) == {100: 1}
    runs[100] = [one | {"new": 1} for one in runs[100]]
    assert news(*runs) == {100: 2, 101: 1}


def test_what_is_gone_was_in_ten_payloads() -> None:
    less: list[Payload] = [{"a": 1}, {"a": 1, "b": None}]
    for payload in less:
        for count, opened in ((9, []), (10, [("6", None, 1.0)])):
            some = run_of(5, *[BOTH] * count, *[{"a": 1}] * 20)
            files = [*before(4), some, run_of(6, *[payload] * 60)]
            assert len(changes(*files)) == 1
            assert values(RULE, *files) == opened
