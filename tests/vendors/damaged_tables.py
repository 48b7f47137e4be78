"""Damage that each data test of dbt must see: rows in place of a table, or a query of it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from pyspark.sql.types import NumericType, StructType

Values = Mapping[str, object]
# by table: its rows, of which the columns left out are null; or a query in which {} is the table,
# and {but a, b} are its columns without some
Damage = Mapping[str, Sequence[Values] | str]
DOUBLED = "select * from {} union all select * from {}"
GONE = "select * from {} where false"
OTHER = "something else"
# the value of all other columns that are numbers
REST = "*"


def without(condition: str) -> str:
    """The query of all rows but some."""
    return f"select * from {{}} where not coalesce({condition}, false)"


def changed(**values: str) -> str:
    """The query of all rows with other values, which are SQL expressions."""
    expressions = ", ".join(f"{value} as {name}" for name, value in values.items())
    return f"select {{but {', '.join(values)}}}, {expressions} from {{}}"


def rows_of(rows: Sequence[Values], columns: StructType) -> str:
    """The query of literal rows with the columns of a table."""
    unknown = {name for row in rows for name in row} - {REST, *columns.names}
    assert not unknown, f"no columns of the table: {unknown}"
    selects = []
    for row in rows:
        values = []
        for column in columns:
            rest = row.get(REST) if isinstance(column.dataType, NumericType) else None
            value = literal(row.get(column.name, rest))
            values.append(f"cast({value} as {column.dataType.simpleString()}) as `{column.name}`")
        selects.append(f"select {', '.join(values)}")
    return " union all ".join(selects)


def query_of(change: str, relation: str, columns: StructType) -> str:
    """The query of a changed table. Spark 3.5 cannot leave out columns by name."""

    def others(left_out: re.Match[str]) -> str:
        return ", ".join(one for one in columns.names if one not in left_out[1].split(", "))

    return re.sub(r"{but ([^}]*)}", others, change).replace("{}", relation)


def literal(value: object) -> str:
    """A value in Spark SQL."""
    return "null" if value is None else f"'{value}'"


def issue(name: str, **more: object) -> Damage:
    """A table of issues that has one."""
    return {"lake_file_issues": [{"issue": name, "file_path": "f", **more}]}


def lost(organization: str) -> list[Damage]:
    """Losses between a table of a vendor and what is shown of it."""
    there = f"organization_id = '{organization}'"
    fewer = f"if({there}, source_row_count - 1, source_row_count)"
    return [
        {"int_records__live": without(there)},
        {"int_records__live": without(f"{there} and identifier = 'a'")},
        {"int_records__live": f"{without('false')} union all select * from {{}} where {there}"},
        {"int_records__landed": without(there)},
        # a row of the source was not read
        {"int_records__landed": changed(source_row_count=fewer)},
        # a row that was landed is gone
        {"int_files__landed": changed(record_count=f"record_count + if({there}, 1, 0)")},
        # the load before had a row more
        {
            "int_files__landed": f"{before('load_id', record_count='record_count + 1')}"
            f" where {there} or not is_before",
            "int_loads__recorded": before("recorded_load_id"),
        },
        {"int_runs__live": changed(record_count=f"if({there}, 0L, record_count)")},
    ]


def before(load: str, **values: str) -> str:
    """The query of all rows, and of all as a load before has them, with other values."""
    values = {load: "'0'", **values}
    kept = ", ".join(f"if(is_before, {value}, {name}) as {name}" for name, value in values.items())
    return (
        f"select {{but {', '.join(values)}}}, {kept} from {{}}"
        " cross join (values (true), (false)) as loads_before (is_before)"
    )


ORGANIZATIONS = ("ht", "wb", "rs")
SINGULAR: Mapping[str, Sequence[Damage]] = {
    "assert_alert_rules_are_sound": [{"int_alert_rules__used": changed(fault="'unsound'")}],
    "assert_no_critical_alert_is_open": [
        {"sync_alerts": [{"is_open": True, "severity": "critical", "is_muted": False}]}
    ],
    "assert_error_rules_are_sound": [{"int_error_rules__used": changed(fault="'unsound'")}],
    "assert_every_file_is_in_the_layout": [issue("outside the layout", file_kind="other")],
    "assert_every_file_is_readable": [issue("not a parquet file", file_kind="batch")],
    "assert_no_file_is_hidden": [issue("hidden from queries", file_kind="other")],
    "assert_new_identifiers_are_spelled_alike": [
        {"int_records__live": changed(identifier="'3.9640798e+07'")},
        {
            "int_records__live": changed(identifier="'7.0'"),
            "int_record_states__live": changed(identifier="'7'"),
        },
    ],
    "assert_no_file_is_empty": [issue("empty file", file_kind="batch")],
    "assert_sync_settings_are_of_known_syncs": [{"sync_settings_issues": [{"is_unsound": False}]}],
    "assert_sync_settings_are_sound": [{"sync_settings_issues": [{"is_unsound": True}]}],
    "assert_new_changelog_rows_are_sound": [
        {"int_changelog__built": DOUBLED},
        {"int_changelog__built": GONE},
        {"int_changelog__built": changed(op_type="'moved'")},
        {"int_changelog__built": changed(status="'unknown'")},
        {"int_changelog__built": changed(failed_reason="'no reason'")},
        {"int_run_counts__built": changed(num_planned_add="7L")},
        {"int_run_counts__built": GONE},
    ],
    "assert_new_memberships_are_sound": [
        {"int_memberships__built": DOUBLED},
        {"int_memberships__built": changed(entered_at="exited_at + interval 1 day")},
    ],
    "assert_new_runs_are_logged_in_full": [
        {"log_coverage": changed(issue=f"'{name}'")}
        for name in (
            *("switched off", "expired", "rows missing", "more than reported"),
            "other outcomes",
        )
    ],
    "assert_new_words_are_known": [
        {"int_records__live": changed(record_status="'unknown'")},
        {"int_records__live": changed(canonical_operation="'unknown'")},
    ],
    "assert_no_new_record_is_lost": [
        # a file whose rows are gone, or doubled
        {"int_records__live": without("organization_id = 'org'")},
        {"int_files__landed": changed(footer_record_count="footer_record_count + 1")},
        {"int_runs__live": changed(record_count="if(organization_id = 'org', 0L, record_count)")},
        *(damage for organization in ORGANIZATIONS for damage in lost(organization)),
        # a record of a snapshot that was not read is not known afterwards
        {
            table: without("organization_id = 'ht' and sync_id = '2' and identifier = 'c'")
            for table in ("int_records__landed", "int_record_states__live")
        },
    ],
    "assert_no_record_is_lost": [
        {"sync_records": without(f"organization_id = '{organization}'")}
        for organization in ("org", *ORGANIZATIONS)
    ],
    "assert_delivered_rows_are_open_memberships": [
        {"sync_snapshot": GONE},
        {"audience_memberships": DOUBLED},
    ],
}


def broken_counts(op_type: str) -> dict[str, Sequence[Values]]:
    """The rules of the counts of runs for one op_type."""
    planned, attempted, succeeded, failed, invalid = (
        f"num_{name}_{op_type}"
        for name in ("planned", "attempted", "succeeded", "failed", "invalid")
    )
    return {
        f"{attempted} = {succeeded} + {failed}": [{planned: 1, attempted: 1}],
        f"{planned} >= {attempted}": [{attempted: 1, succeeded: 1}],
        f"{invalid} <= {failed}": [{invalid: 1}],
    }


FIRST_FAILURE: dict[str, object] = {"failure_number": 1, "failed_run_count": 1}
ALERT: dict[str, object] = {
    **{"severity": "warning", "worst_severity": "warning", "is_open": True, "message": "m"}
}
CLUSTER: dict[str, object] = {"attempt_count": 1, "pattern_count": 1, "sync_count": 1}
# rows that break only this part of a rule; numbers that are left out are zero
BROKEN_RULES: Mapping[str, Sequence[Values]] = {
    "run_count = succeeded_run_count + failed_run_count + unsettled_run_count": [{"run_count": 1}],
    "planned_count = attempted_count + aborted_count": [{"planned_count": 1}],
    "attempted_count = succeeded_count + failed_count": [
        {"planned_count": 1, "attempted_count": 1}
    ],
    "succeeded_count = added_count + changed_count + removed_count": [
        {"planned_count": 1, "attempted_count": 1, "succeeded_count": 1}
    ],
    "open_record_count <= record_count": [
        {"open_record_count": 2, "record_count": 1, "attempt_count": 1}
    ],
    "open_record_count <= attempt_count": [CLUSTER | {"open_record_count": 2}],
    "pattern_count between 1 and attempt_count": [CLUSTER | {"pattern_count": 2}],
    "sync_count between 1 and attempt_count": [CLUSTER | {"sync_count": 0}],
    "member_count <= record_count": [{"member_count": 1}],
    "new_count <= payload_count": [{"new_count": 1}],
    "previous_count <= previous_payload_count": [{"previous_count": 1}],
    "present_count between 1 and payload_count": [
        {"present_count": 2, "payload_count": 1},
        {"payload_count": 1},
    ],
    "null_share between 0 and 1": [{"present_count": 1, "payload_count": 1, "null_share": 2}],
    "record_count <= attempt_count": [{"record_count": 2, "attempt_count": 1}],
    "record_count > 0": [{}],
    "change_type != 'changed' or previous_value is distinct from new_value": [
        {"change_type": "changed", "previous_value": "x", "new_value": "x"}
    ],
    "change_count >= alone_count": [{"change_count": 1, "alone_count": 2}],
    "alone_count >= small_alone_count": [{"change_count": 1, "small_alone_count": 1}],
    "change_count > return_count": [{}],
    "flap_count >= 1": [{}],
    "exit_count between flap_count and entry_count": [
        {"flap_count": 1, "exit_count": 2, "entry_count": 1},
        {"flap_count": 2, "exit_count": 1, "entry_count": 2},
    ],
    "entry_count - exit_count = if(is_delivered, 1, 0)": [
        {"is_delivered": True},
        {"is_delivered": False, "entry_count": 1},
    ],
    "(status = 'failed') or failed_reason is null": [
        {"status": "succeeded", "failed_reason": "no reason"}
    ],
    "operation != 'build' or": [
        {"operation": "build", "replayed_run_count": 1},
        {"operation": "build", "landed_run_count": 1},
    ],
    "sync_run_id is not null or (event_type = 'entered' and event_at is null)": [
        {"event_type": "left"},
        {"event_type": "entered", "event_at": "2026-01-01"},
    ],
    "(exited_sync_run_id is null) = (exit_observed is null)": [
        {"exit_observed": True},
        {"exited_sync_run_id": "1"},
    ],
    "is_open = (ended_sync_run_id is null)": [{"is_open": True, "ended_sync_run_id": "1"}],
    "is_open = (ended_by is null)": [{"is_open": True, "ended_by": "removed"}],
    "is_open = (runs_without_attempt is not null)": [
        {"is_open": True, "runs_without_attempt": None},
        {"is_open": False, "ended_sync_run_id": "1", "ended_by": "removed"},
    ],
    "failure_number >= 1": [{"failed_run_count": 1}],
    "failed_run_count >= 1": [{"failure_number": 1}],
    "coalesce(hours_open >= 0, true)": [FIRST_FAILURE | {"hours_open": -1}],
    "coalesce(started_at <= last_failed_at, true)": [
        FIRST_FAILURE | {"started_at": "2026-01-02", "last_failed_at": "2026-01-01"}
    ],
    "coalesce(last_failed_at <= ended_at, true)": [
        FIRST_FAILURE | {"last_failed_at": "2026-01-02", "ended_at": "2026-01-01"}
    ],
    "failure_reason_count between 1 and attempt_count": [
        {"record_count": 1, "attempt_count": 1, "failure_reason_count": 2}
    ],
    "severity in ('warning', 'critical')": [ALERT | {"severity": "off"}],
    "worst_severity in ('warning', 'critical')": [ALERT | {"worst_severity": "off"}],
    "(severity = worst_severity or worst_severity = 'critical')": [
        ALERT | {"severity": "critical"}
    ],
    "is_open = (resolved_sync_run_id is null)": [ALERT | {"resolved_sync_run_id": "1"}],
    "message is not null": [ALERT | {"message": None}],
    "health in ('ok', 'warning', 'critical', 'silent')": [{"health": "odd", "open_alert_count": 1}],
    "(health = 'ok') = (open_alert_count = 0)": [
        {"health": "ok", "open_alert_count": 1},
        {"health": "warning"},
    ],
    "open_critical_count <= open_alert_count": [{"health": "ok", "open_critical_count": 1}],
    "(retry_reason = 'others succeeded') or (retry_reason = 'transient' and is_transient)": [
        {"retry_reason": "transient", "is_transient": False},
        {"retry_reason": "odd", "is_transient": True},
    ],
    **broken_counts("add"),
    **broken_counts("change"),
    **broken_counts("remove"),
}


def broken_rules(given: Values) -> list[Sequence[Values]]:
    """A table for each way to break a part of the rule."""
    rule = " ".join(str(given["condition"]).split())
    named = set(re.findall(r"\w+", rule))
    return [
        [{name: value for name, value in row.items() if name in named} | {REST: 0}]
        for part, rows in BROKEN_RULES.items()
        if re.search(rf"(?<!\w){re.escape(part)}", rule)
        for row in rows
    ]


# by kind of test: tables that must fail
GENERIC: Mapping[str, Callable[[Values], Sequence[Sequence[Values] | str]]] = {
    "unique_key": lambda _: [[{}, {}]],
    "not_null": lambda _: [[{}]],
    "accepted_values": lambda given: [[{str(given["column_name"]): OTHER}]],
    "holds_in_every_row": broken_rules,
    "expect_column_values_to_match_regex": lambda given: [[{str(given["column_name"]): OTHER}]],
    "expect_column_values_to_be_between": lambda given: [[{str(given["column_name"]): -1}]],
    "expect_column_values_to_be_increasing": lambda given: [
        [
            {str(given["sort_column"]): place, str(given["column_name"]): f"2026-01-0{3 - place}"}
            for place in (1, 2)
        ]
    ],
    "expect_compound_columns_to_be_unique": lambda given: [
        [dict.fromkeys(cast("list[str]", given["column_list"]), 1)] * 2
    ],
    "expect_column_pair_values_A_to_be_greater_than_B": lambda given: [
        [{str(given["column_A"]): "2026-01-01", str(given["column_B"]): "2026-01-02"}]
    ],
    "expect_table_row_count_to_equal_other_table": lambda _: [GONE, DOUBLED],
}


def damaged_by(node: Any) -> list[Damage]:
    """The damage that a generic test must see. Raises KeyError for a kind that is not here."""
    kwargs = node.test_metadata.kwargs
    tables = GENERIC[node.test_metadata.name](kwargs | kwargs.get("arguments", {}))
    assert tables, f"no row that breaks {node.name}: {kwargs}"
    name = node.attached_node.rpartition(".")[2]
    return [{name: table} for table in tables]
