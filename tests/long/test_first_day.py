"""A new user's first day, by the documents: demo, own lake, own project, BI, alert, purge, upgrade.

The commands are those of the README and of `docs/`; `make first-day` prints them and what they say.
"""

import json
from pathlib import Path

import pytest

from helpers.newcomer import Step, cloned, dbt, operation, server, take
from viewer.receivers import web

# five records; two were rejected
LOG = [
    {"row_id": name, "op": "upsert", "outcome": outcome, "failure_reason": reason}
    | {"fields": {"email": f"{name}@example.com"}, "batch_started_at": "2026-11-02T06:00:00Z"}
    | {"batch_completed_at": "2026-11-02T06:01:00Z"}
    for name, outcome, reason in (
        ("c1", "succeeded", None),
        ("c2", "rejected", "email is invalid"),
        ("c3", "succeeded", None),
        ("c4", "succeeded", None),
        ("c5", "rejected", "account is locked"),
    )
]
LOAD = ".venv/bin/sync-logs load --lake ~/lake --input ~/log.jsonl --organization-id 1 --sync-id 2"
OWN_LAKE = "SYNC_LOGS_HOME=~/.sync_logs SYNC_LOGS_LAKE_PATH=~/lake "
INSTALL = (
    "python3 -m venv ~/shop/.venv && ~/shop/.venv/bin/pip install --quiet '{clone}' "
    "'dbt-core==1.11.*' 'dbt-spark[session]==1.11.*' 'pyspark==4.1.*'"
)
# the second half is for a package hub that does not answer
DEPS = "cd ~/shop && { .venv/bin/dbt deps > deps.log 2>&1 || "
DEPS += ".venv/bin/python '{clone}/integration_tests/link_packages.py' .; }"
PROJECT_FILES = {
    "dbt_project.yml": """
name: shop
profile: shop
vars:
  sync_logs:
    sync_logs_lake_path: {home}/lake
models:
  sync_logs:
    marts:
      syncs:
        sync_runs: {{+materialized: table}}
""",
    "packages.yml": """
packages:
  - local: {clone}
""",
    "profiles.yml": """
shop:
  target: dev
  outputs:
    dev:
      type: spark
      method: session
      host: localhost
      schema: analytics
      threads: 2
      server_side_parameters:
        spark.driver.memory: 2g
        spark.sql.session.timeZone: UTC
        spark.sql.legacy.parquet.nanosAsLong: "true"
        spark.sql.parquet.outputTimestampType: TIMESTAMP_MICROS
        spark.sql.warehouse.dir: {home}/shop/warehouse
        spark.hadoop.javax.jdo.option.ConnectionURL: >-
          jdbc:derby:;databaseName={home}/shop/metastore;create=true
""",
    "models/customers.sql": """
select code, concat(code, '@example.com') as email
from values ('c1'), ('c2'), ('c3'), ('c4'), ('c5') as customers (code)
""",
    "models/customers_to_sync.sql": """
select customers.code from {{{{ ref('customers') }}}} as customers
where {{{{ sync_logs.exclude_failed_records('customers.code', sync_id='2') }}}}
""",
}
BEELINE = (
    "export SPARK_HOME=$PWD/$(echo .venv/lib/python3*/site-packages/pyspark); "
    '"$SPARK_HOME"/bin/beeline '
    "-u jdbc:hive2://127.0.0.1:10000/sync_logs -n viewer --outputformat=csv2 --silent=true "
    "-e 'select count(*) as run_count from sync_runs'"
)
ROWS_OF_A_FILE = (
    '.venv/bin/python -c "import pyarrow.parquet as p, pathlib; print(p.read_table('
    "pathlib.Path.home() / 'shop/warehouse/analytics_sync_logs.db/sync_runs').num_rows)\""
)
A_RECORD = "--organization-id 501 --identifier AD"
# the state that the first version left, which no clone of today can write
OLD_STATE = (
    "SYNC_LOGS_HOME=~/old PYTHONPATH=.:python_loaders:viewer:tests:integration_tests "
    ".venv/bin/python tests/helpers/old_state.py ~/old ~/stored"
)
OLD_LAKE = "SYNC_LOGS_HOME=~/old SYNC_LOGS_LAKE_PATH=~/stored/lake "


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone, and a home with a result log and a project."""
    folder = cloned(tmp_path_factory.mktemp("first day"))
    home = folder.parent / "home"
    for name, text in PROJECT_FILES.items():
        file = home / "shop" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.format(home=home, clone=folder))
    (home / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in LOG))
    return folder


def named_in(said: str) -> list[str]:
    """The records of the log that an output names."""
    return [name for name in (str(line["row_id"]) for line in LOG) if name in said]


def test_the_demo(clone: Path) -> None:
    take(clone, Step("make demo", "Done in"))


def test_an_own_lake(clone: Path) -> None:
    take(clone, Step(f"{LOAD} --sync-run-id 3", "--column operation=", is_refused=True))
    named = f"{LOAD} --sync-run-id 3 --column operation=op --column status=outcome"
    take(clone, Step(named, "5 records"))
    take(clone, Step(f"{OWN_LAKE}{dbt('build').command}", "Completed successfully"))
    asked = ".venv/bin/sync-logs records --sync-id 2 --status rejected --format csv"
    rejected = take(clone, Step(f"{OWN_LAKE}{asked}", "account is locked"))
    assert named_in(rejected) == ["c2", "c5"]


def test_an_own_project(clone: Path) -> None:
    take(clone, Step(INSTALL))
    take(clone, Step(DEPS))
    take(clone, Step("cd ~/shop && .venv/bin/dbt build", "Completed successfully"))
    kept = "cd ~/shop && .venv/bin/dbt show --select customers_to_sync --limit -1"
    assert named_in(take(clone, Step(kept))) == ["c1", "c3", "c4"]
    # a BI tool that reads files
    assert take(clone, Step(ROWS_OF_A_FILE)).split() == ["1"]


def test_bi_alert_and_purge(clone: Path) -> None:
    with server(clone) as exported, web() as receiver:
        take(clone, Step(BEELINE, "116"))
        take(clone, Step(".venv/bin/sync-logs alerts", "rejection_rate"), **exported)
        told = exported | {"SYNC_LOGS_NOTIFY_WEBHOOK_URL": receiver.url}
        take(clone, Step(".venv/bin/sync-logs notify"), **told)
        sent = len(receiver.got)
        assert sent
        take(clone, Step(".venv/bin/sync-logs notify"), **told)
        assert len(receiver.got) == sent

        take(clone, Step(f".venv/bin/sync-logs record {A_RECORD}", "Success"), **exported)
        purged = '{organization_id: "501", identifier: "AD"}'
        take(clone, operation("purge_record", purged, "Purged one identifier"), **exported)
        take(clone, Step(f".venv/bin/sync-logs record {A_RECORD}", "No rows"), **exported)


def test_the_upgrade(clone: Path) -> None:
    take(clone, Step(OLD_STATE))
    doctor = f"{OLD_LAKE}.venv/bin/sync-logs doctor"
    take(clone, Step(doctor, "The state has version 1: run `dbt build` once, which migrates it."))
    # this lake has damaged files, which fail the tests of a `dbt build`
    take(clone, Step(f"{OLD_LAKE}{dbt('run').command}", "Completed successfully"))
    take(clone, Step(f"{OLD_LAKE}.venv/bin/sync-logs syncs"))
