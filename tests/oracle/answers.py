"""The answers, computed from a lake (docs/answers.md)."""

import json
from collections.abc import Sequence
from datetime import datetime

from .alert_rules import AlertRule, AlertRules
from .answers_alerts import sync_alerts, sync_health
from .answers_clusters import error_clusters
from .answers_errors import ErrorRule, Rules, error_patterns, errors_by_category, errors_by_sync
from .answers_facts import Kept, SyncFacts, facts_of
from .answers_failures import record_failures
from .answers_fields import field_changes, field_statistics
from .answers_payload_changes import payload_schema_changes
from .answers_payloads import payload_fields
from .answers_records import flapping_records, record_history
from .answers_retries import records_to_retry
from .answers_syncs import (
    audience_events,
    audience_members,
    days_of,
    sync_activity_daily,
    sync_statistics,
)
from .history import read_syncs
from .lake import Lake, as_utc
from .rows import SOURCE, Row

__all__ = [
    "ANSWER_COLUMNS",
    "AlertRule",
    "ErrorRule",
    "Kept",
    "Rules",
    "answers_of",
    "compute_answers",
    "read_answer",
]

# Columns with a JSON array of texts.
SAMPLES = ("sample_identifiers", "sample", "failure_patterns", "vendors", "json_types")
RECORDS = ("record_count", "open_record_count", "attempt_count", "first_seen_at", "last_seen_at")
RUNS = (
    *("run_count", "succeeded_run_count", "failed_run_count", "unsettled_run_count"),
    "incomplete_run_count",
)
OUTCOMES = (
    *("planned_count", "attempted_count", "succeeded_count", "failed_count", "invalid_count"),
    "aborted_count",
)
OPERATIONS = ("added_count", "changed_count", "removed_count", "entry_count", "exit_count")

ANSWER_COLUMNS: dict[str, tuple[str, ...]] = {
    "errors_by_sync": (
        *("organization_id", "sync_id", "failure_reason", *RECORDS, "sample_identifiers"),
        *("rank_in_sync", "rank_overall", "category", "is_transient", "last_sync_run_id"),
        *("failure_pattern", "failing_since_at", "data_until_at", *SOURCE),
    ),
    "error_patterns": (
        *("organization_id", "sync_id", "failure_pattern", "record_count", "open_record_count"),
        *("attempt_count", "run_count", "bystander_count", "failure_reason_count"),
        *("first_seen_at", "last_seen_at"),
        *("first_sync_run_id", "last_sync_run_id", "is_new", "sample_failure_reason"),
        *("sample_identifiers", "rank_in_sync", "category", "is_transient", "hint"),
        *("data_until_at", *SOURCE),
    ),
    # Its rows belong to no organisation or source.
    "error_clusters": (
        *("cluster_number", "representative_pattern", "failure_patterns", "pattern_count"),
        *("open_record_count", "attempt_count", "sync_count", "vendors"),
        *("first_seen_at", "last_seen_at", "category", "is_transient", "hint"),
    ),
    "errors_by_category": (
        *("organization_id", "sync_id", "category", "is_transient", "hint"),
        *("failure_reason_count", *RECORDS, "top_failure_reason", "data_until_at", *SOURCE),
    ),
    "record_history": (
        *("organization_id", "sync_id", "row_id", "first_attempted_at", "first_added_at"),
        *("last_succeeded_at", "last_failed_at", "last_attempted_at", *OUTCOMES, *OPERATIONS),
        *("op_type", "status", "failure_reason", "last_sync_run_id", "failure_count"),
        *("failing_since_at", "is_delivered", "entered_at", "data_until_at", *SOURCE),
    ),
    "flapping_records": (
        *("organization_id", "sync_id", "row_id", "flap_count", "entry_count", "exit_count"),
        *("changed_count", "rank_in_sync", "is_delivered", "data_until_at", *SOURCE),
    ),
    "record_failures": (
        *("organization_id", "sync_id", "row_id", "failure_number"),
        *("started_at", "started_sync_run_id", "last_failed_at", "last_failed_sync_run_id"),
        *("ended_at", "ended_sync_run_id", "ended_by", "is_open", "failed_run_count"),
        *("first_failure_reason", "last_failure_reason", "failure_pattern"),
        *("category", "is_transient"),
        *("was_delivered", "last_succeeded_at", "payload_changed", "hours_open"),
        *("runs_without_attempt", "data_until_at", *SOURCE),
    ),
    "records_to_retry": (
        *("organization_id", "sync_id", "row_id", "retry_reason", "started_at", "last_failed_at"),
        *("last_failed_sync_run_id", "failed_run_count", "last_failure_reason"),
        *("failure_pattern", "category", "is_transient", "repaired_at", "fields"),
        *("data_until_at", *SOURCE),
    ),
    "sync_alerts": (
        *("organization_id", "sync_id", "alert_id", "rule", "severity", "worst_severity"),
        *("is_open", "opened_at", "opened_sync_run_id", "worsened_at", "worsened_sync_run_id"),
        *("resolved_at", "resolved_sync_run_id", "value", "value_sync_run_id", "threshold"),
        *("failure_pattern", "sample", "is_muted", "data_until_at", *SOURCE),
    ),
    "sync_health": (
        *("organization_id", "sync_id", "health", "open_alert_count", "open_critical_count"),
        *("data_until_at", *SOURCE),
    ),
    "field_changes": (
        *("organization_id", "sync_id", "sync_run_id", "row_id", "field_name", "change_type"),
        *("previous_value", "new_value", "previous_sync_run_id", "changed_at", "data_until_at"),
        *("payload_kind", *SOURCE),
    ),
    "field_statistics": (
        *("organization_id", "sync_id", "field_name", "change_count", "record_count"),
        *("changed_payload_share", "alone_count", "small_alone_count", "return_count"),
        *("alone_cost", "small_alone_cost", "rank_in_sync", "sample_row_id"),
        *("sample_previous_value", "sample_new_value", "data_until_at", *SOURCE),
    ),
    "payload_fields": (
        *("organization_id", "sync_id", "field_name", "first_seen_at", "first_sync_run_id"),
        *("last_seen_at", "last_sync_run_id", "run_count", "is_in_last_run", "json_types"),
        *("payload_count", "present_count", "present_share", "null_share", "distinct_share"),
        *("longest_text", "largest_number", "declared_type", "is_as_declared"),
        *("data_until_at", *SOURCE),
    ),
    "payload_schema_changes": (
        *("organization_id", "sync_id", "sync_run_id", "run_at", "field_name", "change_type"),
        *("json_types", "previous_sync_run_id", "previous_count", "previous_payload_count"),
        *("new_count", "payload_count", "data_until_at", *SOURCE),
    ),
    "audience_events": (
        *("organization_id", "sync_id", "row_id", "audience_name", "event_type", "event_at"),
        *("sync_run_id", "is_observed", "data_until_at", *SOURCE),
    ),
    "audience_members": (
        *("organization_id", "sync_id", "row_id", "audience_name", "entered_at"),
        *("entered_sync_run_id", "entry_observed", "data_until_at", *SOURCE),
    ),
    "sync_activity_daily": (
        *("organization_id", "sync_id", "activity_date", *RUNS, *OUTCOMES, *OPERATIONS),
        *("open_failure_count", "repaired_failure_count"),
        *("data_until_at", *SOURCE),
    ),
    "sync_statistics": (
        *("organization_id", "sync_id", "model_name", "destination", *RUNS),
        *("undated_run_count", "too_late_run_count", "first_run_at", "last_run_at"),
        *("last_succeeded_run_at", "last_sync_run_id", "last_run_status", *OUTCOMES),
        *("rejection_rate", "invalid_rate", "attempts_per_delivered_change"),
        *(
            "median_run_seconds",
            "record_count",
            "open_record_count",
            "failing_since_at",
            "median_hours_to_repair",
            "member_count",
        ),
        *("data_until_at", *SOURCE),
    ),
}


def compute_answers(
    lake: Lake,
    as_of: datetime,
    rules: Rules = (),
    alert_rules: AlertRules = (),
) -> dict[str, list[Row]]:
    """Compute the rows of every answer as of a time, from all files of a lake."""
    return answers_of(
        [facts_of(sync) for sync in read_syncs(lake, as_utc(as_of))],
        as_of,
        rules,
        alert_rules,
    )


def answers_of(
    all_facts: Sequence[SyncFacts],
    as_of: datetime,
    rules: Rules = (),
    alert_rules: AlertRules = (),
) -> dict[str, list[Row]]:
    """Compute the rows of every answer from the facts about all syncs, for a build at `as_of`."""
    as_of = as_utc(as_of)
    answers: dict[str, list[Row]] = {name: [] for name in ANSWER_COLUMNS}
    with_changelog = [facts for facts in all_facts if facts.kept.keep_changelog]
    answers["errors_by_sync"] = errors_by_sync(with_changelog, rules)
    answers["error_patterns"] = error_patterns(with_changelog, rules)
    answers["error_clusters"] = error_clusters(all_facts, rules)
    answers["errors_by_category"] = errors_by_category(with_changelog, rules)
    answers["sync_alerts"] = sync_alerts(all_facts, as_of, alert_rules)
    answers["sync_health"] = sync_health(all_facts, as_of, alert_rules)
    for facts in with_changelog:
        answers["record_history"] += record_history(facts)
        answers["flapping_records"] += flapping_records(facts)
        answers["record_failures"] += record_failures(facts, rules)
        answers["records_to_retry"] += records_to_retry(facts, rules)
        answers["field_changes"] += field_changes(facts)
        answers["field_statistics"] += field_statistics(facts)
        answers["payload_fields"] += payload_fields(facts)
        answers["payload_schema_changes"] += payload_schema_changes(facts)
    for facts in all_facts:
        answers["audience_events"] += audience_events(facts)
        answers["audience_members"] += audience_members(facts)
    for facts in all_facts:
        if facts.kept.keep_runs:
            answers["sync_activity_daily"] += sync_activity_daily(facts, days_of(facts, all_facts))
            answers["sync_statistics"].append(sync_statistics(facts))
    return answers


def read_answer(row: Row) -> Row:
    """Convert a row of a built answer to the form used here: arrays are lists, not JSON."""
    samples = {name: row.get(name) for name in SAMPLES}
    return row | {name: json.loads(one) for name, one in samples.items() if isinstance(one, str)}
