"""Tables of vendors in a consumer's project: one of our adapters, and one of their own.

The project has nothing else: no lake and no models of its own. dbt builds the tables of the first
source, seeds, before ours. It does not know that the second one is a seed.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from helpers.consumer_builds import HIDE_PLUGIN, Told, told_by
from helpers.consumer_projects import consumer
from helpers.project import write_adapter

TABLES = {
    "sync_changelog_of_ht": """\
sync_id,sync_run_id,op_type,row_id,status,failure_reason,fields
1,9,added,a,succeeded,,"{""plan"": ""basic""}"
1,9,added,b,failed,no e-mail,"{""plan"": ""pro""}"
1,10,removed,a,succeeded,,"{""plan"": ""basic""}"
""",
    "sync_runs_of_ht": """\
sync_id,sync_run_id,status,started_at,finished_at
1,9,success,2026-01-01 01:00:00,2026-01-01 02:00:00
1,10,success,2026-01-02 01:00:00,2026-01-02 02:00:00
""",
    "acme/sync_log": """\
connection_id,sync_run_id,primary_key,operation,status,error_reason,sync_started_at,sync_finished_at
c,r1,a,insert,succeeded,,2026-01-01 01:00:00,2026-01-01 02:00:00
""",
}
EXPECTED = """\
select * from values
    ('ht', '1', '9', 'a', 'added', 'succeeded'),
    ('ht', '1', '9', 'b', 'added', 'failed'),
    ('ht', '1', '10', 'a', 'removed', 'succeeded'),
    ('own', 'c', 'r1', 'a', 'added', 'succeeded')
"""
HIGHTOUCH = {"sync_changelog": "sync_changelog_of_ht", "sync_runs": "sync_runs_of_ht"}
WITHOUT_ROWS = {**HIGHTOUCH, "sync_changelog": "sync_runs_of_ht"}
FOUND = "select organization_id, sync_id, sync_run_id, row_id, op_type, status from "


def configure(configuration: dict[str, Any]) -> None:
    """Leave the sources, directly below `vars:`, so that the models of both packages see them."""
    configuration["vars"] = {
        "sync_logs_sources": sources(HIGHTOUCH),
        "sync_logs_as_of": "2026-02-01T00:00:00Z",
    }
    configuration["seeds"] = {"customer_analytics": {"acme": {"+schema": "acme"}}}


def sources(hightouch: dict[str, str]) -> list[dict[str, Any]]:
    """The sources, with the seeds that are the tables of Hightouch."""
    return [
        {"name": "ht", "type": "hightouch", "relations": hightouch},
        # as dbt names the schema of its seeds
        {"name": "own", "type": "acme_sync", "schema": "analytics_acme"},
    ]


def project_with_sources(folder: Path) -> Path:
    """A project with the tables of two vendors, and a copy of RudderStack's models as its own."""
    project = consumer(folder, configure)
    for part in ("models", "seeds", "tests"):
        shutil.rmtree(project / part)
    write_adapter(project / "models" / "acme_sync")
    for name, rows in TABLES.items():
        table = project / "seeds" / f"{name}.csv"
        table.parent.mkdir(parents=True, exist_ok=True)
        table.write_text(rows)
    (project / "tests").mkdir()
    (project / "tests" / "assert_changelog.sql").write_text(
        f"{FOUND}{{{{ ref('sync_logs', 'sync_changelog') }}}} except all ({EXPECTED})\n"
        f"union all ({EXPECTED} except all {FOUND}{{{{ ref('sync_logs', 'sync_changelog') }}}})\n"
    )
    return project


def test_a_project_builds_from_tables_with_an_adapter_of_its_own(tmp_path: Path) -> None:
    project = project_with_sources(tmp_path / "project")
    wrong = json.dumps({"sync_logs_sources": sources(WITHOUT_ROWS)})
    steps = [
        [HIDE_PLUGIN],
        ["seed", "--select", "customer_analytics.acme"],
        ["build", "--vars", wrong],
        ["build"],
    ]
    seeded, refused, built = told_by(tmp_path / "home", steps, project=project)
    assert_succeeded(seeded)
    assert not refused.succeeded
    assert [*refused.failed()] == ["int_sources__arrivals"], refused.everything()
    assert (
        "The source ht (hightouch) needs the columns row_id, op_type in "
        "analytics.sync_runs_of_ht, which has sync_id, sync_run_id, status, started_at, finished_at"
    ) in refused.failed()["int_sources__arrivals"]
    assert_succeeded(built)
    assert built.status["assert_changelog"] == "pass"


def assert_succeeded(told: Told) -> None:
    """Assert that nothing failed."""
    assert told.succeeded, told.everything()
    assert told.failed() == {}
