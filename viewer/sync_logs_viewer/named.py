"""The named questions: each is a page, a command of the terminal and a tool for machines.

To add one, write it here: `sync-logs` makes its command of it, and `sync-logs mcp` its tool. The
page has its own route. What the command is about is in `dbt_sync_logs/command_line.py`, which runs
without the packages of the viewer.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from dbt_sync_logs.command_line import COMMANDS
from sync_logs_viewer import answering
from sync_logs_viewer.arguments import DATE, FLAG, TEXT, TIME, Parameter, Values, one_of
from sync_logs_viewer.asking import Answer, Asking
from sync_logs_viewer.questions.filters import STATUSES


@dataclass(frozen=True)
class Question:
    """A question with its page and its name, its arguments, and the columns that fit a terminal."""

    page: str
    command: str
    parameters: tuple[Parameter, ...]
    columns: tuple[str, ...]
    ask: Callable[[Asking, Values], Coroutine[Any, Any, Answer]]
    details: str = ""
    # what the terminal says instead of an empty table
    without_rows: str = "No rows."

    @property
    def about(self) -> str:
        """What it answers, in a few words."""
        return COMMANDS[self.command].about


ORGANIZATION = Parameter("organization_id", "only of this organisation", TEXT)
THE_ORGANIZATION = Parameter("organization_id", "its organisation", TEXT, is_required=True)
WHICH_ORGANIZATION = Parameter("organization_id", "needed if several have a sync of this id", TEXT)
SYNC = Parameter("sync_id", "only of this sync", TEXT)
THE_SYNC = Parameter("sync_id", "id of the sync", TEXT, is_required=True)
QUESTIONS: tuple[Question, ...] = (
    Question(
        page="/",
        command="syncs",
        parameters=(),
        columns=(
            *("organization_id", "sync_id", "model_name", "destination", "health"),
            *("last_run_status", "run_count", "open_record_count", "member_count"),
            "data_until_at",
        ),
        ask=answering.syncs,
        details="A row has what the sync sends where, its health, counts and freshness.",
    ),
    Question(
        page="/sync",
        command="runs",
        parameters=(THE_SYNC, WHICH_ORGANIZATION),
        columns=(
            *("sync_run_id", "status", "started_at", "run_seconds", "record_count"),
            *("num_succeeded_add", "num_succeeded_change", "num_succeeded_remove"),
            *("num_failed_add", "num_failed_change", "num_failed_remove"),
        ),
        ask=answering.runs,
    ),
    Question(
        page="/periods",
        command="periods",
        parameters=(
            *(THE_SYNC, WHICH_ORGANIZATION),
            Parameter("from", "first day (UTC); default: six days before the last", DATE),
            Parameter("until", "last day; default: the last one with data", DATE),
            Parameter(
                "before_from", "first day of the earlier period; default: as many days", DATE
            ),
            Parameter("before_until", "its last day; default: the day before the later", DATE),
            Parameter("errors", "its failure patterns: which are new, gone, grew, shrank", FLAG),
        ),
        columns=(
            *("from_date", "until_date", "run_count", "failed_run_count", "incomplete_run_count"),
            *("planned_count", "attempted_count", "succeeded_count", "failed_count"),
            *("failed_share", "entry_count", "exit_count"),
        ),
        ask=answering.periods,
        details="The earlier one is the first row. A count is null without a day of the sync.",
    ),
    Question(
        page="/run",
        command="records",
        parameters=(
            *(THE_SYNC, WHICH_ORGANIZATION),
            Parameter("sync_run_id", "default: the last run", TEXT),
            Parameter("status", ", ".join(STATUSES), one_of(*STATUSES)),
            Parameter("operation", "the operation as logged", TEXT),
            Parameter("failure_reason", 'only of this reason; "": rows without one', TEXT),
            Parameter("identifier", "compared byte for byte", TEXT),
            Parameter("identifier_prefix", "how identifiers begin", TEXT),
        ),
        columns=(
            *("sync_run_id", "identifier", "display_status", "failure_reason", "operation"),
            "batch_ended_at",
        ),
        ask=answering.records,
        details="They are in the order of the log. `runs` lists the runs of the sync.",
    ),
    Question(
        page="/record",
        command="record",
        parameters=(
            THE_ORGANIZATION,
            Parameter("identifier", "of the record", TEXT, is_required=True),
        ),
        columns=(
            *("sync_id", "sync_run_id", "display_status", "failure_reason", "operation"),
            "batch_ended_at",
        ),
        ask=answering.record,
        details="They are of all syncs of the organisation, the last ones first.",
    ),
    Question(
        page="/audience",
        command="members",
        parameters=(
            *(THE_SYNC, WHICH_ORGANIZATION),
            Parameter("at", "such as 2026-01-31T06:00:00Z; default: now", TIME),
        ),
        columns=("row_id", "entered_at", "entered_sync_run_id", "entry_observed"),
        ask=answering.members,
    ),
    Question(
        page="/errors",
        command="errors",
        parameters=(
            *(ORGANIZATION, SYNC),
            Parameter("category", "only of this category", TEXT),
            Parameter("failure_pattern", 'show its reasons; "": those without a message', TEXT),
        ),
        columns=(
            *("organization_id", "sync_id", "failure_pattern", "category", "open_record_count"),
            *("record_count", "failure_reason_count", "is_new", "last_seen_at"),
        ),
        ask=answering.errors,
        details="A pattern is a message without the values of its records.",
    ),
    Question(
        page="/failures",
        command="failures",
        parameters=(ORGANIZATION, SYNC),
        columns=(
            *("organization_id", "sync_id", "row_id", "started_at", "failed_run_count"),
            *("runs_without_attempt", "failure_reason"),
        ),
        ask=answering.failures,
    ),
    Question(
        page="/alerts",
        command="alerts",
        parameters=(
            *(ORGANIZATION, SYNC),
            Parameter("all", "also those that are resolved", FLAG),
            Parameter("since", "also those resolved since, such as 2026-01-31T06:00:00Z", TIME),
        ),
        columns=(
            *("organization_id", "sync_id", "rule", "severity", "is_open", "is_muted"),
            *("opened_at", "message"),
        ),
        ask=answering.alerts,
        without_rows="No alert: no rule applies (docs/answers.md#alerts has the rules).",
    ),
    Question(
        page="/sync",
        command="gaps",
        parameters=(ORGANIZATION, SYNC),
        columns=(
            *("organization_id", "sync_id", "gap", "reason", "record_count", "since_at"),
            "sample_identifiers",
        ),
        ask=answering.gaps,
        details="A gap is missing, extra, stale or unknown; `none` counts records without one.",
    ),
    Question(
        page="/sync",
        command="fields",
        parameters=(
            *(THE_SYNC, WHICH_ORGANIZATION),
            Parameter("examples", "also a value of each, from the last run", FLAG),
        ),
        columns=(
            *("field_name", "json_types", "is_in_last_run", "present_share", "null_share"),
            *("distinct_share", "longest_text", "largest_number", "declared_type"),
            *("is_as_declared", "first_seen_at"),
        ),
        ask=answering.fields,
        details="Counted by Python models: none without the setting sync_logs_python_models.",
    ),
    Question(
        page="/builds",
        command="builds",
        parameters=(),
        columns=(
            *("started_at", "duration_seconds", "operation", "new_file_count"),
            *("landed_record_count", "replayed_run_count", "skipped_reason"),
        ),
        ask=answering.builds,
    ),
)
BY_COMMAND: Mapping[str, Question] = {one.command: one for one in QUESTIONS}
