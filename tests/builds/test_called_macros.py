"""What macros put into a statement, where only a large or a rare build would show a mistake."""

from types import SimpleNamespace
from typing import Any

import pytest

from builds.called_macros import Macros


@pytest.mark.parametrize(
    ("argument", "setting", "days"),
    [
        (None, None, "coalesce(settings.retention_days, null)"),
        (None, 0, "coalesce(settings.retention_days, 0)"),
        (None, 30, "coalesce(settings.retention_days, 30)"),
        (7, 30, "cast( 7 as decimal"),
        (0, 30, "cast( 0 as decimal"),
    ],
)
def test_a_prune_is_of_its_days_and_scope(
    argument: int | None, setting: int | None, days: str
) -> None:
    given: dict[str, Any] = {"state_table": lambda name: name, "as_of": "now"}
    macros = Macros(given, variables={"sync_logs_retention_days": setting})
    query = " ".join(macros.prunable_runs("load", "o", "s", argument).split())
    assert days in query
    assert "and runs.sync_id = 's' and runs.organization_id = 'o'" in query


@pytest.mark.parametrize(("count", "is_filtered"), [(5_000, True), (5_001, False), (0, True)])
def test_a_source_is_asked_for_all_runs_if_they_are_many(count: int, is_filtered: bool) -> None:
    def run_query(query: str) -> SimpleNamespace:
        ids = [str(one) for one in range(min(int(query.rsplit(" ", 1)[1]), count))]
        return SimpleNamespace(columns=[SimpleNamespace(values=lambda: ids)])

    given = {
        **{"is_building": True, "is_idle": False, "state_table": "planned", "load_id": "load"},
        "source_columns": {"sync_run_id": "bigint"},
    }
    source = {"name": "ht", "type": "hightouch", "organization_id": "o"}
    macros = Macros(given, run_query=run_query)
    condition = macros.planned_runs_only(source, "sync_changelog", "sync_run_id", "batch")
    ids = ", ".join(map(str, range(count)))
    filtered = f"sync_run_id in ({ids})" if count else "false"
    assert condition == (filtered if is_filtered else "true")
