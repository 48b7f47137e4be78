"""Outputs of queries: as text, and their places in a page."""

import re
from typing import Any

from dbt_sync_logs.text_table import text_table

MOST_ROWS = 4
OUTPUT = re.compile(r"^```text\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
# names are in lower case, other headings are not
HEADING = re.compile(r"^#+ ([a-z]\w*)$", re.MULTILINE)


def output_of(session: Any, query: str) -> str:
    """Run a query and format its first rows for a page."""
    frame = session.sql(query)
    rows = frame.limit(MOST_ROWS + 1).collect()
    note = "" if rows else "\n(no rows)"
    if len(rows) > MOST_ROWS:
        note = f"\n(the first {MOST_ROWS} rows)"
    return text_table(frame.columns, rows[:MOST_ROWS]) + note


def outputs_in(page: str) -> dict[str, str]:
    """The outputs of a page, keyed by the last heading before each that is a name."""
    outputs = {}
    for found in OUTPUT.finditer(page):
        headings = HEADING.findall(page, 0, found.start())
        outputs[headings[-1]] = found.group(1)
    return outputs
