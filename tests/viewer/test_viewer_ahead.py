"""Pages of one sync are answered from queries over all syncs, which are asked ahead."""

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.masks import Mask
from sync_logs_viewer.questions import Query, Run, Sync, catalog
from sync_logs_viewer.web.routes import errors, failures, syncs
from sync_logs_viewer.web.routes import sync as sync_page
from sync_logs_viewer.web.warming import MOST_SYNCS, keep_warm
from viewer.fake_warehouse import ALERT, RUN, STATISTICS, Committing, TellingWarehouse

SYNCS = [{**STATISTICS, "organization_id": o, "sync_id": s} for o in "op" for s in "st"]
CHOSEN = Sync("p", "t")


def warm(warehouse: TellingWarehouse) -> Answers:
    """Answers after the first round of warming; the page of an audience is its last one."""
    answers = Answers(warehouse, Mask())

    async def first_round() -> None:
        task = asyncio.ensure_future(keep_warm(answers))
        while not any(one.name == "members" for one in warehouse.asked):
            await asyncio.sleep(0.01)
        task.cancel()

    asyncio.run(asyncio.wait_for(first_round(), 60))
    return answers


def warmed(**rows: list[dict[str, Any]]) -> tuple[Answers, TellingWarehouse]:
    """Answers after the first round, and the warehouse, as if it had not been asked."""
    warehouse = TellingWarehouse(syncs=SYNCS, sync=SYNCS, **rows)
    answers = warm(warehouse)
    warehouse.asked.clear()
    return answers, warehouse


def told(answers: Answers, *queries: Query) -> list[Any]:
    return asyncio.run(answers.all(*queries))[1]


def asked(warehouse: TellingWarehouse, but: Iterable[str] = ("last_build",)) -> set[str]:
    return {one.name for one in warehouse.asked} - set(but)


def of_each_sync(**row: Any) -> list[dict[str, Any]]:
    return [{**row, "organization_id": o, "sync_id": s} for o in "op" for s in "st"]


def test_the_page_of_a_sync_asks_nothing_after_warming() -> None:
    answers, warehouse = warmed(runs=of_each_sync(**RUN))
    (syncs, runs, *_) = told(answers, *sync_page.questions(CHOSEN))
    told(answers, failures.question("p", "t"))
    assert asked(warehouse) == set()
    # only its own rows
    for rows in (syncs, runs):
        assert [(one["organization_id"], one["sync_id"]) for one in rows] == [("p", "t")]


def test_pages_without_parameters_and_the_head_of_each_ask_nothing_after_warming() -> None:
    answers, warehouse = warmed()
    for queries in (errors.questions(), syncs.questions(), [catalog.data_until()]):
        told(answers, *queries)
    assert asked(warehouse) == set()


def test_a_run_is_found_among_the_newest_of_its_sync() -> None:
    runs = of_each_sync(**RUN)
    answers, warehouse = warmed(runs=[*runs, *({**one, "sync_run_id": "8"} for one in runs)])
    ((found,),) = told(answers, catalog.run(Run("p", "t", "8")))
    assert (found["sync_id"], found["sync_run_id"]) == ("t", "8")
    assert asked(warehouse) == set()
    # an older one, further runs, and another number of them
    for query in (
        catalog.run(Run("p", "t", "1")),
        catalog.runs(CHOSEN, (3, "7"), catalog.RUNS),
        catalog.runs(CHOSEN, None, catalog.RUNS + 1),
    ):
        warehouse.asked.clear()
        told(answers, query)
        assert query in warehouse.asked


@pytest.mark.parametrize(("count", "is_asked"), [(200, False), (201, True)])
def test_alerts_that_were_cut_are_asked_for(count: int, is_asked: bool) -> None:
    answers, warehouse = warmed(alerts=[ALERT] * count)
    told(answers, *sync_page.questions(CHOSEN))
    assert asked(warehouse) == ({"alerts"} if is_asked else set())


def test_a_new_build_is_asked_for_anew() -> None:
    warehouse = Committing("first", "first", "second", activity=of_each_sync(days=1))
    answers = Answers(warehouse, Mask())
    part = catalog.activity(CHOSEN)
    assert part.part_of
    told(answers, part.part_of.whole)
    warehouse.asked.clear()
    answers._build = (float("-inf"), answers._build[1])
    told(answers, part)
    assert part in warehouse.asked


def test_a_result_that_would_take_the_place_of_others_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sync_logs_viewer.answers.LARGEST_SHARE_KEPT", 0)
    warehouse = TellingWarehouse()
    answers = Answers(warehouse, Mask())
    for _ in range(2):
        assert told(answers, catalog.syncs())
    assert warehouse.asked.count(catalog.syncs()) == 2


def test_many_syncs_are_not_asked_ahead() -> None:
    many = [{**STATISTICS, "sync_id": str(number)} for number in range(MOST_SYNCS + 1)]
    warehouse = TellingWarehouse(syncs=many)
    warm(warehouse)
    asked_for = [one.arguments["sync_id"] for one in warehouse.asked if one.name == "activity"]
    assert asked_for == ["0"]
