"""The table of RudderStack as a source, expected by hand, and a vendor of somebody else's."""

from datetime import datetime
from pathlib import Path

import pytest

from helpers.project import ADAPTERS, FILES, PARTS, PROJECT
from vendors.rudderstack_logs import FIRST, SECOND
from vendors.three_builds import ThreeBuilds, shown

RUDDERSTACK, ANOTHER = "rs", "other"
FIRST_END, SECOND_END = datetime(2026, 1, 1, 2), datetime(2026, 1, 2, 2)
SECOND_START = datetime(2026, 1, 2, 1)


def test_runs_end_when_rudderstack_says_so(builds: ThreeBuilds) -> None:
    columns = ("sync_run_id", "started_at", "finished_at", "is_settled", "status")
    first = ("run1", datetime(2026, 1, 1, 1), FIRST_END, True, "succeeded")
    assert shown(builds.rows(1, "sync_runs", RUDDERSTACK), *columns) == [
        first,
        ("run2", SECOND_START, None, False, None),
    ]
    assert shown(builds.rows(2, "sync_runs", RUDDERSTACK), *columns) == [
        first,
        ("run2", SECOND_START, SECOND_END, True, "succeeded"),
    ]


def test_the_tables_say_what_rudderstack_logs(builds: ThreeBuilds) -> None:
    changelog = builds.rows(2, "sync_changelog", RUDDERSTACK)
    of_row = ("sync_run_id", "op_type", "row_id", "status", "failed_reason", "attempted_at")
    assert set(shown(changelog, *of_row)) == {
        ("run1", "added", "a", "succeeded", None, FIRST_END),
        ("run1", "added", "b", "failed", "no e-mail", FIRST_END),
        ("run1", "added", "c", "succeeded", None, FIRST_END),
        ("run1", "removed", "d", "succeeded", None, FIRST_END),
        ("run1", "added", "e", "succeeded", None, FIRST_END),
        ("run2", "removed", "a", "succeeded", None, SECOND_END),
        ("run2", "added", "b", "succeeded", None, SECOND_END),
        ("run2", "added", "f", "failed", "Invalid record: duplicate identifier", SECOND_END),
        ("run2", "added", None, "failed", "Invalid record: identifier is null", SECOND_END),
    }
    assert set(shown(changelog, "sync_id", "fields")) == {("c", None)}

    log = builds.rows(2, "sync_log", RUDDERSTACK)
    assert len(log) == len(FIRST) - 1 + len(SECOND)
    assert set(shown(log, "record_payload", "batch_started_at", "batch_completed_at")) == {
        (None, None, None)
    }
    interval = ("row_id", "entered_at", "exited_at", "entered_sync_run_id", "entry_observed")
    assert shown(builds.rows(2, "audience_memberships", RUDDERSTACK), *interval) == [
        ("a", FIRST_END, SECOND_END, "run1", False),
        ("b", SECOND_END, None, "run2", True),
        ("c", FIRST_END, None, "run1", False),
        # it was in before it was removed
        ("d", None, FIRST_END, None, False),
        ("e", FIRST_END, None, "run1", False),
    ]
    runs = {one["sync_run_id"]: one for one in builds.rows(2, "sync_runs", RUDDERSTACK)}
    assert (runs["run1"]["num_planned_add"], runs["run1"]["num_failed_add"]) == (4, 1)
    # nine outcomes in two runs; three failed, and two of them were not sent
    (sync,) = builds.rows(2, "sync_statistics", RUDDERSTACK)
    assert (sync["invalid_count"], sync["invalid_rate"]) == (2, pytest.approx(2 / 9))
    assert sync["rejection_rate"] == pytest.approx(1 / 7)


def contents(project: Path) -> dict[Path, bytes]:
    """What dbt reads of a project, by path."""
    files = [one for part in PARTS for one in (project / part).rglob("*")]
    files += [project / name for name in FILES]
    return {
        one.relative_to(project): one.read_bytes()
        for one in files
        if one.is_file() and "__pycache__" not in one.parts
    }


def test_another_vendor_is_a_folder_of_three_models(builds: ThreeBuilds) -> None:
    before, there = contents(PROJECT), contents(builds.project)
    new = {path for path, content in there.items() if before.get(path) != content}
    assert {path.parent for path in new} == {ADAPTERS / "acme_sync"}
    assert {path.stem for path in new} == {
        f"int_acme_sync__{name}" for name in ("arrivals", "records", "runs")
    }
    # so nothing else names the models of a vendor
    code = [path for path in there if path.suffix in (".sql", ".yml") and path.parts[0] != "tests"]
    naming = {path.parent for path in code if b"int_rudderstack" in there[path]}
    assert naming == {ADAPTERS / "rudderstack"}

    changelog = builds.rows(1, "sync_changelog", ANOTHER)
    assert shown(changelog, "sync_run_id", "row_id", "status") == [
        ("run1", "a", "succeeded"),
        ("run1", "b", "failed"),
        ("run1", "c", "succeeded"),
        ("run1", "d", "succeeded"),
        ("run1", "e", "succeeded"),
    ]
