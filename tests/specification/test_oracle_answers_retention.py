"""The answers after prunes, purges and settings, with expected values worked out by hand."""

from typing import Any

from oracle import ANSWER_COLUMNS, compute_answers, differences
from oracle.building import batch, lake_of, row, sent
from oracle.retention import Purge
from specification.small_lake_answers import AS_OF, DAY, Tables, failed, picked
from specification.small_retention import before, built, kept

THREE = (
    batch(
        "1",
        *[row("a", "upsert", "succeeded", payload='{"n": 1}', ended=1), failed("b", "x", 1)],
        row(None, "upsert", "rejected", message="x", ended=1),
    ),
    batch(
        "2",
        row("a", "upsert", "succeeded", payload='{"n": 2}', ended=2),
        row("b", "upsert", "succeeded", payload="{}", ended=2),
    ),
    batch(
        "3",
        row("a", "upsert", "succeeded", payload='{"n": 3}', ended=3),
        row("b", "delete", "succeeded", ended=3),
    ),
)


# A pruned run counts everywhere except in field_changes. Its payload is still the previous one.
def test_answers_after_a_prune() -> None:
    whole = built(*THREE)
    assert whole.answers() == compute_answers(lake_of(*THREE), AS_OF)
    pruned = whole.after_prune(before(3)).built()
    left = pruned.answers()
    changed = "sync_run_id row_id field_name previous_value new_value previous_sync_run_id"
    assert picked(left["field_changes"], changed) == [("3", "a", "n", "2", "3", "2")]
    for name, rows in whole.answers().items():
        if name not in ("field_changes", "field_statistics"):
            assert differences(rows, left[name], ANSWER_COLUMNS[name]) == []
    nothing = pruned.after_prune(before(4)).answers()
    assert nothing["field_changes"] == []
    assert picked(nothing["errors_by_sync"], "failure_reason record_count") == [("x", 2)]


def test_answers_with_runs_that_are_too_late() -> None:
    late = batch("0", failed("z", "late", 0), row("a", "upsert", "succeeded", ended=500))
    pruned = built(*THREE, sent("1", 1, "a", sync="t")).after_prune(before(3))
    found, without = (one.answers() for one in (pruned.built(lake_of(late), AS_OF), pruned.built()))
    assert picked(found["sync_statistics"], "too_late_run_count run_count") == [*[(1, 3), (0, 1)]]
    found["sync_statistics"][0]["too_late_run_count"] = 0
    assert found == without


# A purged record counts only in the counts of pruned runs. Null keys cannot be purged.
def test_answers_after_a_purge() -> None:
    purge = Purge("o", "b")
    for pruned in (False, True):
        history = built(*THREE)
        history = history.after_prune(before(3)) if pruned else history
        found = history.after_purge(purge).built().answers()
        assert picked(found["errors_by_sync"], "record_count attempt_count open_record_count") == [
            (1, 1, 0)
        ]
        assert found["errors_by_sync"][0]["sample_identifiers"] == []
        assert picked(found["errors_by_category"], "record_count") == [(1,)]
        for table in ("record_history", "audience_events", "audience_members"):
            assert {one["row_id"] for one in found[table]} == {"a"}
        assert picked(found["sync_statistics"], "record_count member_count") == [(1, 1)]
        # the counts of runs 1 and 2 lost a row each, unless pruned; run 3 lost one in both cases
        counts = picked(found["sync_statistics"], "planned_count succeeded_count failed_count")
        assert counts == [(6, 4, 2) if pruned else (4, 3, 1)]
        # b came in with run 2 and left with run 3
        assert picked(found["sync_activity_daily"], "planned_count entry_count exit_count") == [
            (6, 2, 0) if pruned else (4, 1, 0)
        ]


def test_a_purge_of_a_record_that_has_failed_in_a_pruned_run() -> None:
    files = (batch("1", failed("a", "x", 1), failed("b", "x", 1)), sent("2", 2, "b"))
    pruned = built(*files).after_prune(before(9))
    purged = pruned.after_purge(Purge("o", "a")).built().answers()
    records = "record_count open_record_count"
    assert picked(pruned.answers()["errors_by_sync"], records) == [(2, 1)]
    assert picked(purged["errors_by_sync"], records) == [(1, 0)]
    assert picked(purged["sync_statistics"], f"{records} failed_count") == [(1, 0, 2)]


def test_a_purge_of_one_sync_leaves_the_others() -> None:
    files = (sent("1", 1, "a", "b"), sent("1", 1, "a", sync="t"))
    purged = built(*files).after_purge(Purge("o", "a", "s")).built()
    assert picked(purged.answers()["record_history"], "sync_id row_id") == [
        *[("s", "b"), ("t", "a")]
    ]


def test_a_purged_record_does_not_flap_and_has_no_fields() -> None:
    files = (*THREE, sent("4", 4, "b"), batch("5", failed("b", "y", 5)))
    whole = built(*files)
    assert picked(whole.answers()["flapping_records"], "row_id") == [("b",)]
    assert len(whole.answers()["field_changes"]) == 4
    purged = whole.after_purge(Purge("o", "b")).built().answers()
    assert purged["flapping_records"] == []
    assert {one["row_id"] for one in purged["field_changes"]} == {"a"}


OF_CHANGELOG = (
    *("errors_by_sync", "error_patterns", "errors_by_category", "record_history"),
    *("field_changes", "flapping_records", "record_failures", "records_to_retry"),
    *("error_clusters", "field_statistics", "payload_fields", "payload_schema_changes"),
)
OF_RUNS = ("sync_statistics", "sync_activity_daily", "sync_alerts", "sync_health")


# A sync is missing only from answers whose source tables are not kept for it.
def test_settings() -> None:
    files = (
        *(*THREE, sent("4", 4, "b")),
        batch("1", failed("a", "y", DAY), failed("b", "y", DAY), failed("c", "y", DAY), sync="t"),
    )

    def with_settings(**values: Any) -> Tables:
        return kept(*files, sync="t", **values).answers()

    plain = with_settings()
    assert with_settings(is_active=False, keep_snapshot=False, retention_days=1.0) == plain
    without_changelog = with_settings(keep_changelog=False)
    without_runs = with_settings(keep_runs=False)
    for name, rows in plain.items():
        own = [one for one in rows if one.get("sync_id") == "s"]
        if name == "errors_by_sync":
            # the ranks cover only the rows that are shown
            assert [one["rank_overall"] for one in own] == [2]
            own = [one | {"rank_overall": 1} for one in own]
        if name == "error_clusters":
            # a row is about all syncs; the other one has the first cluster
            assert picked(rows, "representative_pattern") == [("y",), ("x",)]
            own = [rows[1] | {"cluster_number": 1}]
        assert without_changelog[name] == (own if name in OF_CHANGELOG else rows)
    # the data of a sync whose runs are not shown still counts as data of the organisation
    for name, rows in plain.items():
        own = [one for one in rows if one.get("sync_id") == "s"]
        assert without_runs[name] == (own if name in OF_RUNS else rows)
    assert picked(
        without_changelog["sync_statistics"], "sync_id record_count open_record_count"
    ) == [*[("s", 2, 0), ("t", 3, 3)]]
