"""Tables of Hightouch as a source: what is expected is written by hand."""

from datetime import datetime

from vendors.three_builds import ThreeBuilds, shown

HIGHTOUCH = "acme"


def test_the_tables_say_what_hightouch_reports(builds: ThreeBuilds) -> None:
    changelog = builds.rows(2, "sync_changelog", HIGHTOUCH)
    columns = ("sync_run_id", "op_type", "row_id", "status", "failed_reason", "attempted_at")
    one, two = datetime(2026, 1, 1, 2), datetime(2026, 1, 2, 1)
    assert shown(changelog, *columns) == [
        ("10", "added", "b", "succeeded", None, two),
        ("10", "added", "e", "aborted", None, two),
        ("10", "changed", "c", "succeeded", None, two),
        ("10", "removed", "a", "succeeded", None, two),
        ("9", "added", "a", "succeeded", None, one),
        ("9", "added", "b", "failed", "no e-mail", one),
        ("9", "removed", "d", "succeeded", None, one),
    ]

    runs = {one["sync_run_id"]: one for one in builds.rows(2, "sync_runs", HIGHTOUCH)}
    # as Hightouch counts, and as logged where it does not say
    assert runs["9"]["num_planned_add"] == 7
    assert runs["9"]["num_attempted_add"] == 2
    assert runs["9"]["num_failed_add"] == 1
    assert runs["10"]["num_planned_add"] == 2
    assert runs["10"]["num_attempted_add"] == 1
    # of a run that is listed twice, the later end counts
    assert (runs["9"]["finished_at"], runs["10"]["finished_at"]) == (one, None)
    assert runs["9"]["model_name"] == "Customers"

    interval = ("row_id", "entered_at", "exited_at", "entered_sync_run_id", "entry_observed")
    # d was in before it was removed, c before it was changed
    assert shown(builds.rows(2, "audience_memberships", HIGHTOUCH), *interval) == [
        ("a", one, two, "9", False),
        ("b", two, None, "10", True),
        ("c", None, None, None, False),
        ("d", None, one, None, False),
    ]
    log = builds.rows(2, "sync_log", HIGHTOUCH)
    said = shown(log, "record_identifier", "operation", "status")
    assert ("a", "added", "succeeded") in said
    assert ("b", "added", "rejected") in said
    assert "e" not in {one[0] for one in said}


def test_after_a_purge_the_runs_are_counted_without_the_record(builds: ThreeBuilds) -> None:
    runs = {one["sync_run_id"]: one for one in builds.rows(3, "sync_runs", HIGHTOUCH)}
    counts = [runs["9"][f"num_{name}_add"] for name in ("planned", "attempted", "failed")]
    assert counts == [7, 1, 0]
    coverage = {one["sync_run_id"]: one for one in builds.rows(3, "log_coverage", HIGHTOUCH)}
    assert [coverage[one]["stored_row_count"] for one in ("9", "10")] == [2, 3]
    assert "b" not in {one["row_id"] for one in builds.rows(3, "sync_changelog", HIGHTOUCH)}
