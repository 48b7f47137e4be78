"""drt itself, on this machine: what its server refused is what our tables say.

The logs of the other vendors in the tests are written by these tests; these ones nobody here wrote.
"""

import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from conftest import Warehouse
from helpers.compared_tables import answers_differing, rules_of
from helpers.growing_sources import tables_differing
from helpers.source_tables import with_sources
from long.drt_tool import SYNC, Destination, Project, install, serving
from oracle import COLUMNS
from oracle.random_drt import COLUMNS as LINE_COLUMNS
from oracle.source_history import SourceHistory, SourceStep, SourceTable, expected_answers
from vendors.drt_files import source_of
from vendors.three_builds import shown

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="the lock is for Python 3.11")
PEOPLE, NEWS, BROKEN = "crm people", "newsletter", "broken"
MODEL = "select email, plan, score from people order by rowid"
# later than everything that drt does here
AS_OF = datetime.now(timezone.utc) + timedelta(days=1)


@pytest.fixture
def destination() -> Iterator[Destination]:
    with serving() as served:
        yield served


@pytest.fixture
def project(tmp_path: Path, destination: Destination) -> Project:
    made = Project(install(tmp_path / "drt_venv"), tmp_path / "shop")
    keeps, url = "dlq: {enabled: true}", destination.url
    made.create(
        {
            "people": SYNC.format(name=PEOPLE, model=MODEL, url=url, path="people", options=keeps),
            "news": SYNC.format(name=NEWS, model=MODEL, url=url, path="news", options="mode: full"),
            "broken": SYNC.format(
                name=BROKEN, model="select email from missing", url=url, path="none", options=keeps
            ),
        }
    )
    return made


def step(project: Project) -> SourceStep:
    """What the logs have now."""
    tables = {
        kind: SourceTable(LINE_COLUMNS, tuple(project.lines(kind))) for kind in ("history", "dlq")
    }
    return SourceStep(tables, AS_OF)


def test_the_tables_show_what_the_server_refused(
    warehouse: Callable[..., Warehouse], project: Project, destination: Destination
) -> None:
    given = with_sources(source_of(project.logs), sync_logs_as_of=AS_OF.isoformat())
    built = warehouse("drt_itself")

    # four of six are refused: one of them has no key
    people = [("ann", "pro", 1.5), ("bob", "free", 2.0), ("cat", "free", None)]
    project.fill(*people, ("dan", "é", 3.0), (None, "pro", 4.0), ("eve", "pro", 5.0))
    destination.refused = {
        "bob": (422, '{"error": "bad e-mail"}'),
        "cat": (500, ""),
        None: (400, "email is required"),
        "eve": (429, "slow down"),
    }
    first = project.run(PEOPLE, code=1)
    assert destination.count("people") == (2, 4)
    news = project.run(NEWS, code=1)
    assert destination.count("news") == (2, 4)
    project.drt("run", "--select", BROKEN, code=1)
    steps = [step(project)]
    assert built.dbt("run", variables=given), built.failures()
    of_row = ("sync_id", "sync_run_id", "identifier", "status_message", "record_payload")
    refused = [
        (PEOPLE, first, "bob", 'HTTP 422: {"error": "bad e-mail"}', payload("bob", "free", "2.0")),
        (PEOPLE, first, "cat", "HTTP 500", payload("cat", "free", "null")),
        (PEOPLE, first, "eve", "HTTP 429: slow down", payload("eve", "pro", "5.0")),
        (PEOPLE, first, None, "HTTP 400: email is required", payload(None, "pro", "4.0")),
    ]
    assert shown(built.rows("sync_records"), *of_row) == sorted(refused, key=str)

    # bob is repaired, and a retry of the oldest two sends bob and cat: the rest stays in the queue
    del destination.refused["bob"]
    project.drt("retry", PEOPLE, "--limit", "2", code=0)
    assert destination.count("people") == (1, 1)
    # in the next run, cat and the null key fail again; then a retry sends all that is left
    del destination.refused["eve"]
    second = project.run(PEOPLE, code=1)
    assert destination.count("people") == (4, 2)
    destination.refused["cat"] = (503, "try again later")
    project.drt("retry", PEOPLE, code=0)
    assert destination.count("people") == (1, 4)
    del destination.refused["cat"], destination.refused[None]
    third = project.run(PEOPLE, code=0)
    assert destination.count("people") == (6, 0)
    steps.append(step(project))

    assert built.builds(given), built.failures()
    again = "HTTP 503: try again later"
    attempts = [
        (first, "bob", 'HTTP 422: {"error": "bad e-mail"}'),
        # in the first run, in a retry of two, and in one of all
        *[(first, "cat", again)] * 3,
        (first, "eve", "HTTP 429: slow down"),
        *[(second, "cat", again)] * 2,
        # each row without a key would be a record, so there is one
        *[(run, None, "HTTP 400: email is required") for run in (first, second)],
    ]
    records = built.rows("sync_records")
    assert shown(records, "sync_run_id", "identifier", "status_message") == sorted(
        attempts, key=str
    )
    (broken,) = [one["sync_run_id"] for one in built.rows("sync_runs") if one["sync_id"] == BROKEN]
    counted = ("planned", "attempted", "succeeded", "failed")
    of_run = ("sync_run_id", "reported_status", "status", *(f"num_{one}_add" for one in counted))
    runs = [
        (first, "partial", "succeeded", 6, 6, 2, 4, None),
        (second, "partial", "succeeded", 6, 6, 4, 2, None),
        (third, "success", "succeeded", 6, 6, 6, 0, None),
        # no dead letters
        (news, "partial", "succeeded", 6, 6, 2, 4, False),
        (broken, "failed", "failed", 0, 0, 0, 0, True),
    ]
    assert shown(built.rows("sync_runs"), *of_run, "is_log_complete") == sorted(runs, key=str)
    stored = ("logged_failed_count", "stored_row_count", "deleted_row_count", "issue")
    covered = [
        (first, 4, 6, 2, "successes not logged"),
        (second, 2, 3, 0, "successes not logged"),
        (third, 0, 0, 0, "successes not logged"),
        (news, 0, 0, 0, "switched off"),
        (broken, 0, 0, 0, None),
    ]
    assert shown(built.rows("log_coverage"), "sync_run_id", *stored) == sorted(covered, key=str)
    (error,) = [one["error"] for one in built.rows("sync_runs") if one["sync_id"] == BROKEN]
    assert error == "OperationalError: no such table: missing"
    assert shown(built.rows("sync_statistics"), "sync_id", "rejection_rate") == [
        (BROKEN, None),
        (PEOPLE, 6 / 18),
        (NEWS, 4 / 6),
    ]

    # and all tables are as the computation says
    history = SourceHistory("drt", "shop", None, tuple(steps))
    found = {table: built.rows(table) for table in COLUMNS}
    assert tables_differing([history], 1, found) == {}
    answers = expected_answers([history], 1, rules=rules_of(built))
    assert answers_differing(answers, built.tables(answers)) == {}


def payload(email: str | None, plan: str, score: str) -> str:
    """A payload as Spark writes it."""
    key = "null" if email is None else f'"{email}"'
    return f'{{"email":{key},"plan":"{plan}","score":{score}}}'
