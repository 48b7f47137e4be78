"""Our own changelog and runs, given back as Hightouch's tables, say the same again.

What a vendor's tables cannot say is listed in `UNSAID`, with the reasons, and the rows of a lake
with no place in them in `leave_what_can_be_said`.
"""

from datetime import datetime
from pathlib import Path

import pytest

from helpers.random_histories import many_histories
from oracle import (
    ANSWER_COLUMNS,
    COLUMNS,
    compute,
    compute_answers,
    expected_answers,
    expected_tables,
    read_lake,
    write_all,
)
from vendors.round_trip import differing_again, differing_in_part
from vendors.said_by_hightouch import UNSAID, as_sources, leave_what_can_be_said

# while some runs go on
AS_OF = datetime(2025, 3, 1, 4)
TABLES = [table for table in (*COLUMNS, *ANSWER_COLUMNS) if table not in UNSAID]


def write_lake(root: Path, seeds: range, orderly: range) -> None:
    """Write many random histories as one lake."""
    for history in many_histories(seeds, (AS_OF,), orderly=orderly).histories:
        write_all(root, history)


@pytest.mark.parametrize("is_said", [True, False])
def test_the_specification_says_the_same_again(tmp_path: Path, is_said: bool) -> None:
    write_lake(tmp_path, range(40), range(600, 606))
    if is_said:
        leave_what_can_be_said(tmp_path, AS_OF)
    lake = read_lake(tmp_path)
    tables = compute(lake, AS_OF) | compute_answers(lake, AS_OF)
    assert min(len(tables[table]) for table in TABLES if table != "records_to_retry") >= 20
    assert len(tables["records_to_retry"]) >= 3
    sources = as_sources(tables, AS_OF)
    again = expected_tables(sources, 0) | expected_answers(sources, 0)
    differing = differing_again if is_said else differing_in_part
    assert differing(tables, again) == {}
