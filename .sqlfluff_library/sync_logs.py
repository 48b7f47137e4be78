"""Stand-ins for the package's macros, so that SQL is linted offline: sqlfluff knows no namespaces.

Each renders to an expression of the right kind; what it means is tested by dbt.
"""

from collections.abc import Callable


def __getattr__(name: str) -> Callable[..., object]:
    """Any macro: its first argument if that is an expression, else `true`."""
    if name == "alert_rules_hash":
        return lambda: "max(rule)"
    if name in {"load_id", "target_load_id"}:
        return lambda: "load"
    if name == "this_load":
        return lambda: "'load'"
    if name in {"as_of", "this_as_of", "build_started_at"}:
        return lambda: "timestamp '2026-01-01T00:00:00Z'"
    if name in {"most_changes", "most_days"}:
        return lambda: 1000000
    if name in {"table_sources", "sources_with"}:
        return lambda *_: [{"name": "source", "organization_id": "organization"}]
    if name == "fact_tables_of":
        return lambda *_: ["destinations"]
    if name == "described_columns":
        return lambda *_: {"kind": "string"}
    if name == "source_fact_names":
        return lambda: ["source_name", "payload_kind"]
    if name == "sources_found":
        return lambda files: f"select * from {files}"
    if name == "hash_of_columns":
        return lambda *_: "hash"
    if name in {"check_columns_of_names", "check_source_relations"}:
        return lambda *_, **__: ""
    if name == "fingerprint_of_rows":
        return lambda values: f"md5(max({values[0]}))"
    if name == "table_source_types":
        return lambda: ["vendor"]
    if name in {"source_relation", "drt_lines"}:
        return lambda source, table: table
    if name == "source_columns":
        return lambda source, table: {"sync_id": "string"}
    if name == "greatest_of_column":
        return lambda source, table, name, *_: f"max({name})"
    if name == "source_column":
        return lambda source, table, name, *_: name
    if name in {"fingerprint", "fingerprint_of_few_rows", "fingerprint_of_facts"}:
        return lambda source, table, columns, *_: f"md5(max({columns[0]}))"
    if name == "hightouch_counts":
        return lambda: ["num_planned_add"]
    if name == "planned_runs_only":
        return lambda source, table, column, *_: f"{column} in ('1')"
    if name == "attempt_order":
        return lambda: "attempt_rank, row_index"
    if name == "rules_given":
        return lambda: "select * from error_categories"
    if name == "column_names":
        return lambda kind: ["identifier"]
    if name in {"committed", "given_relation", "lake_table"}:
        return lambda name, *_: name
    if name == "changed_words":
        return lambda: {}
    if name == "has_changed_word":
        return lambda records, changed: f"{records}.operation in ('{len(changed)}')"
    if name == "committed_word_map":
        return lambda kind: f"map('{kind}', 'meaning')"
    if name == "changelog_order":
        return lambda *_: "position asc, is_invalid desc"
    if name == "is_kept":
        return lambda rows, setting: (
            f"{rows}.sync_id in (select sync_settings.sync_id from sync_settings where {setting})"
        )
    if name == "is_purged":
        return lambda *_: "false"
    if name == "commit_query":
        return lambda *_, **__: "select 'load' as load_id"
    if name == "record_states_after":
        return lambda *steps: f"states_as_of as (select * from {' cross join '.join(steps)})"
    if name == "is_checkpoint_due":
        return lambda *numbers: f"{' + '.join(numbers)} > 0"
    if name in {"members_at", "field_changes_between", "delivery_gaps", "delivery_gap_counts"}:
        return lambda *_, **__: "select * from answers"
    if name == "exclude_failed_records":
        return lambda *_, **__: "true"
    if name == "search_order":
        return lambda step, key="identifier": (
            f"sort by {step}.organization_id, {step}.sync_id, {step}.{key}"
        )
    if name == "files_replayed":
        return lambda files, runs: f"select * from {files} inner join {runs}"
    if name == "is_of_file":
        return lambda records, files: f"{records}.file_name = {files}.file_name"
    if name == "continued_record_count":
        return lambda: 1
    if name == "replacements":
        return lambda runs: f"select * from {runs}"
    if name in {"record_count_columns", "record_state_columns"}:
        return lambda: ["planned_count", "exit_count"]
    if name == "state_of_change":
        return lambda: "position as outcome_position, exit_count"
    if name == "state_as_of":
        return lambda runs, *_, **__: (
            "states_as_of as (select record_states.* from record_states "
            f"cross join changelog cross join {runs})"
        )
    if name == "errors_as_of":
        return lambda runs, *_: (
            "errors_as_of as (select record_errors.* from record_errors "
            f"cross join changelog cross join {runs})"
        )
    if name == "errors_counted_by":
        return lambda key: f"errors_summed as (select {key} from record_errors)"
    if name == "is_in_snapshot":
        return lambda states, runs: f"{states}.outcome_position >= {runs}.last_replacing_position"
    if name == "field_differences":
        return lambda step: f"field_differences as (select * from {step})"
    return lambda expression="true", *_, **__: str(expression)
