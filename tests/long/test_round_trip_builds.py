"""Builds of our own changelog and runs as Hightouch's tables say the same as that of their lake."""

from collections.abc import Callable

from conftest import Warehouse
from helpers.growing_sources import variables, write
from helpers.growing_warehouse import contents, unlike
from helpers.retained_warehouse import variables as variables_of_lake
from helpers.source_tables import put
from vendors.round_trip import differing_again, differing_in_part
from vendors.said_by_hightouch import Row, Tables, as_sources, leave_what_can_be_said
from vendors.test_round_trip import AS_OF, TABLES, write_lake


def of_seeds(tables: Tables, seeds: range, orderly: range) -> dict[str, list[Row]]:
    """Return the rows of the organisations of some histories."""
    names = {str(seed) for seed in (*seeds, *orderly)}
    return {
        table: [row for row in rows if str(row["organization_id"]).split()[0] in names]
        for table, rows in tables.items()
    }


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
    assert min(len(rows) for table, rows in found.items() if table != "records_to_retry") > 5
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
