"""A warehouse that returns some rows for each question without Spark, to test the other parts."""

from collections.abc import Iterator
from datetime import date, datetime, timezone
from typing import Any

import pyarrow as pa

from sync_logs_viewer.named import BY_COMMAND
from sync_logs_viewer.questions import Query
from sync_logs_viewer.warehouse import Rows, WarehouseError
from sync_logs_viewer.warehouse.literals import MARKER

AT = datetime(2026, 3, 1, 6, 0, tzinfo=timezone.utc)
# a moment before the build
DATA_UNTIL = datetime(2026, 3, 1, 5, 30, tzinfo=timezone.utc)
SYNC = {
    **{"organization_id": "o", "sync_id": "s", "model_name": "Customers", "destination": "crm"},
    **{"source_name": "lake", "vendor": "census"},
}
COUNTED = (
    *("attempted_count", "succeeded_count", "failed_count", "invalid_count", "aborted_count"),
    *("entry_count", "exit_count", "planned_count", "run_count", "record_count"),
    *("open_record_count", "member_count", "attempt_count", "change_count", "sync_count"),
)
COUNTS = dict.fromkeys(COUNTED, 2)
STATISTICS = {
    **SYNC,
    **COUNTS,
    **{"last_run_at": AT, "last_sync_run_id": "7", "last_run_status": "succeeded"},
    # of the counts of the run
    "last_run_failed_count": 3,
    **{"data_until_at": AT, "rejection_rate": 0.5, "failing_since_at": AT},
    "median_hours_to_repair": 5.0,
}
DAY = {**SYNC, **COUNTS, "activity_date": date(2026, 3, 1), "recency_rank": 1}
DAY |= {"all_day_count": 1, "all_run_count": 2}
DAY |= {"open_failure_count": 3, "repaired_failure_count": 1}
RUN = {**SYNC, "sync_run_id": "7", "run_position": 1, "status": "succeeded", "is_settled": True}
RUN |= {"log_issue": None, "reported_planned_count": None, "logged_planned_count": 2}
RUN |= {"is_pruned": False, "is_too_late": False, "has_unreadable_files": False, "error": None}
RUN |= {"first_batch_started_at": AT, "finished_at": AT}
RUN |= {"previous_sync_run_id": "6", "next_sync_run_id": None}
RUN |= {
    f"num_{measure}_{op_type}": 1
    for measure in ("planned", "attempted", "succeeded", "failed", "invalid")
    for op_type in ("add", "change", "remove")
}
RECORD = {
    **{"identifier": "ann", "display_status": "Rejected", "failure_reason": "ann is refused"},
    **{"operation": "upsert", "record_payload": '{"email": "ann@x"}', "payload_length": 18},
    **{"status_message": "ann is refused", "batch_started_at": AT, "batch_ended_at": AT},
    **{"record_status": "failed", "logged_status": "rejected", "batch_type": "b"},
    **{"batch_number": 1, "file_name": "b.1.parquet", "row_index": 0, "record_id": "r"},
}
ERROR = {
    **{"organization_id": "o", "sync_id": "s", "failure_reason": "ann is refused"},
    **{"category": "refused", "sample_identifiers": '["ann"]', "last_sync_run_id": "7"},
    **{"first_seen_at": AT, "last_seen_at": AT, "hint": None, "is_transient": False},
    **{"error_count": 1, "failure_pattern": "<id> is refused", "failing_since_at": AT},
    **COUNTS,
}
PATTERN = {
    **{"organization_id": "o", "sync_id": "s", "failure_pattern": "<id> is refused"},
    **{"sample_failure_reason": "ann is refused", "sample_identifiers": '["ann"]', "is_new": True},
    **{"failure_reason_count": 20_000, "run_count": 2, "pattern_count": 1, "category": "refused"},
    **{"is_transient": False, "hint": None, "first_seen_at": AT, "last_seen_at": AT},
    **{"first_sync_run_id": "6", "last_sync_run_id": "7", "rank_in_sync": 1},
    **{"record_count": 2, "open_record_count": 2, "attempt_count": 2, "bystander_count": 0},
    **{"failing_pattern_count": 1, "place": 1},
}
PATTERN_COUNT = {"category": "refused", "pattern_count": 1, "failing_pattern_count": 1}
HEALTH = {
    **{"organization_id": "o", "sync_id": "s", "health": "critical", "open_alert_count": 1},
    **{"open_critical_count": 1, "unhealthy_since_at": AT},
}
BUILD = {
    **{"load_id": "load", "started_at": AT, "finished_at": AT, "as_of": AT, "operation": "build"},
    **{"is_full_refresh": False, "changed_file_count": 0},
}
MEMBER = {"row_id": "ann", "entered_at": AT, "entered_sync_run_id": "7", "audience_name": None}
MEMBER |= {"exited_at": None, "exited_sync_run_id": None}
FAILURE = {
    **{"organization_id": "o", "sync_id": "s", "row_id": "ann", "failure_reason": "ann is refused"},
    **{"started_at": AT, "started_sync_run_id": "6", "last_failed_at": AT, "failed_run_count": 2},
    **{"last_failed_sync_run_id": "7", "category": "refused", "is_transient": False},
    **{"was_delivered": True, "runs_without_attempt": 0, "ended_by": None},
    **{"failure_pattern": "<id> is refused", "failure_number": 3, "is_open": True},
    **{"ended_at": None, "ended_sync_run_id": None, "payload_changed": None},
}
ALERT = {
    **{"organization_id": "o", "sync_id": "s", "alert_id": "a", "rule": "new_error_pattern"},
    **{"severity": "critical", "worst_severity": "critical", "is_open": True, "is_muted": False},
    **{"opened_at": AT, "opened_sync_run_id": "7", "worsened_at": None, "resolved_at": None},
    **{"worsened_sync_run_id": None, "resolved_sync_run_id": None, "value": 2.0},
    **{"value_sync_run_id": "7", "threshold": 1.0},
    **{"failure_pattern": "<id> is refused", "sample_identifiers": '["ann"]'},
    **{"message": "2 records failed for the first time: ann is refused", "data_until_at": AT},
    **{"source_name": "lake", "vendor": "census"},
}
CHANGE: dict[str, Any] = {
    **{"field_name": "seats", "previous_value": "1", "new_value": "2", "sync_id": "s"},
    **{"changed_at": AT, "sync_run_id": "7", "change_type": "changed"},
}
STATE = {
    **{"sync_id": "s", "op_type": "changed", "status": "failed", "failure_reason": None},
    **{"is_delivered": True, "last_sync_run_id": "7", "last_attempted_at": AT},
}
CLUSTER = {
    **{"representative_pattern": "bad <email>", "pattern_count": 2, "sync_count": 1},
    **{"failure_patterns": '["bad <email>","no <email>"]', "vendors": '["census"]'},
    **{"open_record_count": 3, "category": "refused", "is_transient": True, "hint": None},
    **{"last_seen_at": AT, "cluster_count": 11, "clustered_pattern_count": 30},
}
# the other columns that the terminal shows
BUILD = dict.fromkeys(BY_COMMAND["builds"].columns) | BUILD
RUN = dict.fromkeys(BY_COMMAND["runs"].columns) | RUN
MEMBER = dict.fromkeys(BY_COMMAND["members"].columns) | MEMBER
GAP = {
    **{"organization_id": "o", "sync_id": "s", "gap": "missing", "reason": "failing"},
    **{"record_count": 12, "sample_identifiers": '["ann"]', "since_at": AT, "data_until_at": AT},
}
FIELD: dict[str, Any] = {
    **{"organization_id": "o", "sync_id": "s", "field_name": "email", "is_in_last_run": True},
    **{"json_types": '["null","string"]', "payload_count": 40, "present_count": 30},
    **{"present_share": 0.75, "null_share": 0.1, "distinct_share": 1.0, "longest_text": 41},
    **{"largest_number": None, "declared_type": "string", "is_as_declared": True, "run_count": 6},
    **{"first_seen_at": AT, "first_sync_run_id": "1", "last_seen_at": AT, "last_sync_run_id": "7"},
    "data_until_at": AT,
}
FIELD_CHANGE: dict[str, Any] = {
    **{"organization_id": "o", "sync_id": "s", "sync_run_id": "7", "run_at": AT},
    **{"field_name": "plan", "change_type": "vanished", "json_types": None, "new_count": 0},
    **{"previous_sync_run_id": "6", "previous_count": 12, "previous_payload_count": 40},
    "payload_count": 38,
}
PERIOD: dict[str, Any] = {
    **{"period": "later", "from_date": date(2026, 2, 23), "until_date": date(2026, 3, 1)},
    **{"day_count": 7, "run_count": 7, "failed_run_count": 1, "unsettled_run_count": 0},
    **{"incomplete_run_count": 0, "incomplete_sync_run_ids": "[]", "planned_count": 100},
    **{"attempted_count": 80, "succeeded_count": 60, "failed_count": 20, "invalid_count": 5},
    **{"succeeded_share": 0.75, "failed_share": 0.25, "invalid_share": 0.0625},
    **{"aborted_count": 20, "entry_count": 9, "exit_count": 4, "repaired_failure_count": 2},
    "open_failure_count": 3,
}
BEFORE: dict[str, Any] = {
    **PERIOD,
    **{"period": "earlier", "from_date": date(2026, 2, 16), "until_date": date(2026, 2, 22)},
    **{"run_count": 6, "incomplete_run_count": 1, "incomplete_sync_run_ids": '["5"]'},
    **{"planned_count": 90, "entry_count": 12},
}
PERIOD_PATTERN: dict[str, Any] = {
    **{"failure_pattern": "<id> is refused", "category": "refused", "change_type": "grew"},
    **{"before_record_count": 1, "record_count": 3, "open_record_count": 2},
    **{"sample_identifiers": '["ann"]', "first_seen_at": AT, "last_seen_at": AT},
}
ERROR_OF_RUN: dict[str, Any] = {
    **{"display_status": "Rejected", "failure_reason": "ann is refused", "row_count": 1},
    **{"sample_row_id": "ann", "record_payload": '{"email": "ann@x"}', "is_known": True},
    **{"failure_pattern": "<id> is refused", "category": "refused", "is_transient": False},
    **{"sample_identifiers": '["ann"]', "hint": "Correct it.", "error_count": 1},
}
PERIOD_CHANGES: list[dict[str, Any]] = [
    {
        **{name: value for name, value in FIELD_CHANGE.items() if name not in SYNC},
        **{"period": period, "sync_run_id": run, "change_type": change_type, "json_types": types},
    }
    for period, run, change_type, types in (
        ("later", "7", "vanished", None),
        ("earlier", "5", "appeared", '["string"]'),
    )
]
ROWS: dict[str, list[dict[str, Any]]] = {
    "periods": [BEFORE, PERIOD],
    "patterns_of_periods": [PERIOD_PATTERN],
    "changes_of_periods": PERIOD_CHANGES,
    "payload_examples": [{"field_name": "email", "row_id": "ann", "example": "ann@x"}],
    "gaps": [GAP],
    "payload_fields": [FIELD],
    "payload_changes": [FIELD_CHANGE],
    "last_build": [BUILD],
    "builds": [BUILD],
    "data_until": [{"data_until_at": DATA_UNTIL}],
    "syncs": [STATISTICS],
    "sync": [STATISTICS],
    "trends": [DAY],
    "activity": [DAY],
    "runs": [RUN],
    "record_counts": [
        {"display_status": "Rejected", "operation": "upsert", "row_count": 1, "operation_count": 1}
    ],
    "records": [RECORD],
    "errors_of_run": [ERROR_OF_RUN],
    "history_of_record": [{**RECORD, "sync_id": "s", "sync_run_id": "7"}],
    "changes_of_record": [CHANGE],
    "organizations_of_record": [
        {"organization_id": "o", "sync_count": 2},
        {"organization_id": "p", "sync_count": 1},
    ],
    "patterns_of_runs": [
        {"failure_pattern": "<id> is refused", "category": "refused", "is_known": True}
        | {"sample_identifiers": '["ann"]', "record_count": 2, "before_record_count": 0},
        {"failure_pattern": "gone", "category": "refused", "is_known": True}
        | {"sample_identifiers": None, "record_count": 0, "before_record_count": 3},
        {"failure_pattern": None, "category": None, "is_known": False}
        | {"sample_identifiers": None, "record_count": 1, "before_record_count": 1},
    ],
    "memberships_of_record": [{**MEMBER, "sync_id": "s"}],
    "failures": [FAILURE],
    "failures_of_record": [FAILURE],
    "alerts": [ALERT],
    "states_of_record": [STATE],
    "audience_size": [{"member_count": 1}],
    "members": [MEMBER],
    "moves": [{"row_id": "ann", "event_type": "entered", "event_at": AT, "sync_run_id": "7"}],
    "errors": [ERROR],
    "error_patterns": [PATTERN],
    "pattern_counts": [PATTERN_COUNT],
    "patterns_of_sync": [PATTERN],
    "error_clusters": [CLUSTER],
    "health": [HEALTH],
    "error_categories": [ERROR],
    "changed_fields": [
        {"organization_id": "o", "sync_id": "s", "field_name": "seats", "last_changed_at": AT}
        | COUNTS
    ],
    "file_issues": [
        {"relative_path": "x", "issue": "empty file", "remedy": "delete it", "sync_run_id": None}
        | {"reason": None, "detail": None}
    ],
    "settings_issues": [
        {"setting_name": "is_active", "issue": "not true or false", "given_value": "maybe"}
        | {"organization_id": None, "sync_id": None, "remedy": None}
    ],
}


class TellingWarehouse:
    """Returns the same rows whatever the values of a question, and records the questions."""

    def __init__(self, **rows: list[dict[str, Any]]) -> None:
        self.asked: list[Query] = []
        self._rows = ROWS | rows

    def ask(self, query: Query) -> pa.Table:
        """See Warehouse."""
        # a filter that the SQL forgets would let all rows through
        assert set(MARKER.findall(query.sql)) == set(query.arguments), query.name
        self.asked.append(query)
        return pa.Table.from_pylist(self._rows[query.name])

    def stream(self, query: Query) -> Iterator[Rows]:
        """See Warehouse."""
        yield self.ask(query).to_pylist()

    def last(self, name: str) -> dict[str, Any]:
        """The values of the last question with a name."""
        return next(dict(one.arguments) for one in reversed(self.asked) if one.name == name)


class Committing(TellingWarehouse):
    """A warehouse in which builds commit: each answer about the last one names the next load."""

    def __init__(self, *loads: str, **rows: list[dict[str, Any]]) -> None:
        super().__init__(**rows)
        self.loads = [*loads]

    def ask(self, query: Query) -> pa.Table:
        """See Warehouse."""
        found = super().ask(query)
        if query.name != "last_build":
            return found
        load_id = self.loads.pop(0) if len(self.loads) > 1 else self.loads[0]
        return pa.Table.from_pylist([{"load_id": load_id, "finished_at": None, "as_of": None}])


class Without(TellingWarehouse):
    """A warehouse that an older version has built, or without a folder of tables."""

    def __init__(self, *missing: str, **rows: list[dict[str, Any]]) -> None:
        super().__init__(**rows)
        self.missing = missing

    def ask(self, query: Query) -> pa.Table:
        """See Warehouse."""
        if query.name in self.missing:
            raise WarehouseError(f"There is no table for {query.name}.")
        return super().ask(query)
