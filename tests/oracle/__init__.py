"""An independent computation of the documented tables, in plain Python, from the specification.

It is the reference for builds. Therefore it prefers loops that read like the rules to fast code,
and shares no code with the package. The rules are in docs/semantics.md and docs/answers.md.
"""

from .alerting_history import ALERT_RULES, alerting_history
from .answers import ANSWER_COLUMNS, AlertRule, ErrorRule, compute_answers, read_answer
from .compare import differences
from .lake import BatchFile, Lake, LoggedRow, merge, read_lake
from .random_hightouch import random_hightouch
from .random_lakes import History, Step, apply_step, random_history, write_all
from .random_orderly import orderly_history
from .semantics import COLUMNS, compute
from .source_history import (
    SourceHistory,
    SourceStep,
    SourceTable,
    expected_answers,
    expected_tables,
    without_row_hashes,
)
from .writing import write_file

__all__ = [
    "ALERT_RULES",
    "ANSWER_COLUMNS",
    "COLUMNS",
    "AlertRule",
    "BatchFile",
    "ErrorRule",
    "History",
    "Lake",
    "LoggedRow",
    "SourceHistory",
    "SourceStep",
    "SourceTable",
    "Step",
    "alerting_history",
    "apply_step",
    "compute",
    "compute_answers",
    "differences",
    "expected_answers",
    "expected_tables",
    "merge",
    "orderly_history",
    "random_hightouch",
    "random_history",
    "read_answer",
    "read_lake",
    "without_row_hashes",
    "write_all",
    "write_file",
]
