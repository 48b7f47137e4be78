"""What a model of the user counts about its sync: on the page, the terminal, and masked."""

import asyncio

import pyarrow as pa
import pytest

from sync_logs_viewer.answers import Answers
from sync_logs_viewer.commands import main
from sync_logs_viewer.masks import Mask
from sync_logs_viewer.questions import Query, catalog
from sync_logs_viewer.settings import GAPS
from sync_logs_viewer.warehouse import WarehouseError
from viewer.fake_warehouse import GAP, TellingWarehouse
from viewer.reading import ABOUT, opened

HEADING = "The model and the destination"


def test_the_page_of_a_sync_shows_the_last_counts(relation_of_gaps: None) -> None:
    fine = {**GAP, "gap": "none", "reason": None, "record_count": 30, "since_at": None}
    warehouse = TellingWarehouse(gaps=[GAP, {**fine, "sample_identifiers": "[]"}])
    page = opened("/sync", warehouse, **ABOUT).text
    assert warehouse.last("gaps")["relation"] == "analytics.gap_counts"
    for text in (HEADING, "missing in the destination", "failing", "as the model has them"):
        assert text in page
    assert "identifier=ann" in page
    found = opened("/sync.json", warehouse, **ABOUT).json()["gaps"]
    assert [(one["gap"], one["sample_identifiers"]) for one in found] == [
        *(("missing", ["ann"]), ("none", []))
    ]


def test_identifiers_are_masked(relation_of_gaps: None) -> None:
    page = opened("/sync", TellingWarehouse(), "identifiers:hashed", **ABOUT).text
    assert HEADING in page
    assert ">ann<" not in page


def test_a_model_that_is_not_built_does_not_break_the_page(
    relation_of_gaps: None, caplog: pytest.LogCaptureFixture
) -> None:
    class WithoutModel(TellingWarehouse):
        def ask(self, query: Query) -> pa.Table:
            if query.name == "gaps":
                raise WarehouseError("There is no table analytics.gap_counts.")
            return super().ask(query)

    page = opened("/sync", WithoutModel(), **ABOUT)
    assert page.status_code == 200
    assert HEADING not in page.text
    assert "analytics.gap_counts cannot be read: There is no table" in caplog.text


def test_counts_are_not_kept_because_the_model_can_be_built_after_ours() -> None:
    class Growing(TellingWarehouse):
        count = 0

        def ask(self, query: Query) -> pa.Table:
            if query.name == "gaps":
                self.count += 1
                return pa.Table.from_pylist([{**GAP, "record_count": self.count}])
            return super().ask(query)

    answers = Answers(Growing(), Mask())
    question = catalog.gaps("analytics.gap_counts", "o", "s", 9)
    found = [asyncio.run(answers.all(question))[1][0] for _ in range(2)]
    assert [rows[0]["record_count"] for rows in found] == [1, 2]


def test_without_a_relation_nothing_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(GAPS, raising=False)
    warehouse = TellingWarehouse()
    assert HEADING not in opened("/sync", warehouse, **ABOUT).text
    assert "gaps" not in {one.name for one in warehouse.asked}
    monkeypatch.setattr("sync_logs_viewer.asking.warehouse_of_target", lambda *_, **__: warehouse)
    assert main(["gaps"]) == 1
    assert "SYNC_LOGS_GAPS_RELATION is not set. Set it to " in capsys.readouterr().err
