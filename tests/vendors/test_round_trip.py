"""Our own changelog and runs, given back as Hightouch's tables, say the same again.

What a vendor's tables cannot say is listed in `UNSAID`, with the reasons, and the rows of a lake
with no place in them in `leave_what_can_be_said`.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from conftest import Warehouse
from helpers.growing_sources import variables, write
from helpers.growing_warehouse import contents, unlike
from helpers.random_histories import many_histories
from helpers.retained_warehouse import variables as variables_of_lake
from helpers.source_tables import put
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
from vendors.said_by_hightouch import UNSAID, Row, Tables, as_sources, leave_what_can_be_said

# while some runs go on
AS_OF = datetime(2025, 3, 1, 4)
TABLES = [table for table in (*COLUMNS, *ANSWER_COLUMNS) if table not in UNSAID]


def write_lake(root: Path, seeds: range, orderly: range) -> None:
    """Write many random histories as one lake."""
    for history in many_histories(seeds, (AS_OF,), orderly=orderly).histories:
        write_all(root, history)


def of_seeds(tables: Tables, seeds: range, orderly: range) -> dict[str, list[Row]]:
    """Return the rows of the organisations of some histories."""
    names = {str(seed) for seed in (*seeds, *orderly)}
    return {
        table: [row for row in rows if str(row["organization_id"]).split()[0] in names]
        for table, rows in tables.items()
    }


@pytest.mark.parametrize("is_said", [True, False])
def test_the_specification_says_the_same_again(tmp_path: Path, is_said: bool) -> None:
    write_lake(tmp_path, range(40), range(600, 606))
    if is_said:
        leave_what_can_be_said(tmp_path, AS_OF)
    lake = read_lake(tmp_path)
    tables = compute(lake, AS_OF) | compute_answers(lake, AS_OF)
    assert min(len(tables[table]) for table in TABLES) >= 20
    sources = as_sources(tables, AS_OF)
    again = expected_tables(sources, 0) | expected_answers(sources, 0)
    differing = differing_again if is_said else differing_in_part
    assert differing(tables, again) == {}


def test_a_build_says_the_same_again(warehouse: Callable[..., Warehouse]) -> None:
    built = warehouse("round_trip")
    said, in_part = (range(6), range(600, 601)), (range(100, 102), range(610, 611))
    write_lake(built.lake, *said)
    leave_what_can_be_said(built.lake, AS_OF)
    write_lake(built.lake, *in_part)
    assert built.dbt("run", variables=variables_of_lake(AS_OF)), built.failures()
    tables = built.tables([*TABLES, "sync_records"])

    again = warehouse("round_trip_again")
    sources = as_sources(tables, AS_OF)
    for source in sources:
        write(source, 0, put)
    given = variables(sources, AS_OF.isoformat(), "")
    assert again.dbt("run", variables=given), again.failures()
    found = again.tables(TABLES)
    assert min(len(rows) for rows in found.values()) > 5
    assert differing_again(of_seeds(tables, *said), of_seeds(found, *said)) == {}
    assert differing_in_part(of_seeds(tables, *in_part), of_seeds(found, *in_part)) == {}

    # a build of another schema in the same process is no news to the first one
    assert again.queries != []
    assert [one for one in again.queries if f"{built.schema}_state" in one] == []
    assert built.dbt("run", variables=variables_of_lake(AS_OF)), built.failures()
    assert [one for one in built.queries if again.schema in one] == []
    last = max(built.rows("sync_loads"), key=lambda one: str(one["load_id"]))
    assert last["skipped_reason"] == "nothing new"
    assert unlike(contents(built.tables([*TABLES, "sync_records"])), contents(tables)) == {}
