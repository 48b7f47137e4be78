"""Invalid arguments of operations and macros: one sentence, before anything runs."""

import pytest

from conftest import Warehouse

OF_PURGE = "organization_id, identifier, sync_id, in_advance"
# the operation, its arguments as a user types them, the message
WRONG = [
    ("purge_record", "{}", "organization_id is missing; give a text in quotes, "),
    (
        "purge_record",
        "{organization_id: 7, identifier: a}",
        'organization_id is the number 7; write it in quotes, organization_id: "...", as sync_runs '
        "shows it.",
    ),
    # YAML reads it as 321
    ("purge_record", '{organization_id: "7", identifier: 0501}', "identifier is a number; write"),
    ("purge_record", '{organization_id: "7", identifier: yes}', "identifier is a boolean; write"),
    (
        "purge_record",
        '{organization_id: "7", identifier: a, sync_id: 2026-01-31}',
        "sync_id is the date 2026-01-31; write it in quotes, ",
    ),
    ("purge_record", '{organization_id: "7"}', "identifier is missing; give a text in quotes, "),
    ("purge_record", '{organization_id: "", identifier: a}', "organization_id is empty; give a"),
    (
        "purge_record",
        '{organization_id: "7", identifier: a, in_advance: "true"}',
        'in_advance is the text "true"; write in_advance: true or in_advance: false, without ',
    ),
    (
        "purge_record",
        '{org: "7", identifier: a}',
        f"there is no argument org; it takes {OF_PURGE}.",
    ),
    (
        "prune_sync_logs",
        '{dry_run: "false"}',
        'dry_run is the text "false"; write dry_run: true or dry_run: false, without quotes.',
    ),
    ("prune_sync_logs", "{dry_run: null}", "dry_run is missing; write dry_run: true or "),
    ("prune_sync_logs", "{organization_id: 7}", "organization_id is the number 7; write"),
    ("prune_sync_logs", "{sync_id: [1]}", "sync_id is a list; write"),
    (
        "prune_sync_logs",
        '{retention_days: "40"}',
        'retention_days is the text "40"; write a number of days from 0 to 1000000, without ',
    ),
    (
        "prune_sync_logs",
        "{retention_days: .nan}",
        "retention_days is the number nan; write a number",
    ),
    ("prune_sync_logs", "{retention_days: -1}", "retention_days is the number -1; write a number"),
    (
        "prune_sync_logs",
        "{days: 40}",
        "there is no argument days; it takes dry_run, organization_id",
    ),
    ("sync_logs_collect", '{keep_previous: "false"}', 'keep_previous is the text "false"; write'),
    ("sync_logs_compact", "{keep_previous: true}", "no argument keep_previous; it takes none."),
    ("sync_logs_doctor", "{verbose: true}", "there is no argument verbose; it takes none."),
]
# a call in a model, the message
WRONG_CALLS = [
    (
        "members_at('2026-01-31', sync_id=42)",
        'members_at: sync_id is the number 42; write it in quotes, sync_id="...", as sync_runs',
    ),
    ("members_at('yesterday')", 'members_at: at is the text "yesterday"; write a time in ISO 8601'),
    (
        "members_at()",
        "members_at: at is missing; write a time in ISO 8601 in quotes, for instance at=",
    ),
    ("members_at('2026-01-31', sync='42')", "members_at: there is no argument sync; it takes at, "),
    (
        "field_changes_between(10040, '10041')",
        "field_changes_between: run_a is the number 10040; write it in quotes, ",
    ),
    ("field_changes_between('10040')", "field_changes_between: run_b is missing; give a text in"),
    (
        "exclude_failed_records('email', sync_id=none)",
        "exclude_failed_records: sync_id is missing; give a text in quotes, ",
    ),
    (
        "exclude_failed_records('email', '42', like='x')",
        "exclude_failed_records: there is no argument like; it takes identifier, sync_id, ",
    ),
    (
        "exclude_failed_records('email', '42', min_failed_runs=0)",
        "exclude_failed_records: min_failed_runs is the number 0; write a whole number from 1, ",
    ),
    (
        "exclude_failed_records('email', '42', release_when_changed='email')",
        'release_when_changed is the text "email"; write a list of columns, for instance ',
    ),
    ("delivery_gaps(key='id', sync_id='42')", "delivery_gaps: model is missing; give a text in "),
    ("delivery_gaps(7, 'id', '42')", "delivery_gaps: model is the number 7; write it in quotes, "),
    (
        "delivery_gaps('people', 'id', '42', compare='email')",
        'delivery_gaps: compare is the text "email"; write a list of columns, for instance ',
    ),
    (
        "delivery_gap_counts('people', 'id', '42', compare={'email': 1})",
        "delivery_gap_counts: compare is a mapping; write columns and their fields, for instance ",
    ),
    (
        "delivery_gap_counts('people', 'id', '42', sent_model='')",
        "delivery_gap_counts: sent_model is empty; give a text",
    ),
]


@pytest.mark.parametrize(("operation", "arguments", "message"), WRONG)
def test_an_operation(unbuilt: Warehouse, operation: str, arguments: str, message: str) -> None:
    assert not unbuilt.dbt("run-operation", operation, "--args", arguments)
    said = "\n".join(unbuilt.said)
    assert f"{operation}: " in said
    assert message in said
    assert "Traceback" not in said
    assert unbuilt.queries == []


@pytest.mark.parametrize(("call", "message"), WRONG_CALLS)
def test_a_macro(unbuilt: Warehouse, call: str, message: str) -> None:
    assert not unbuilt.dbt("compile", "--inline", f"{{{{ sync_logs.{call} }}}}")
    assert message in "\n".join(unbuilt.said)
