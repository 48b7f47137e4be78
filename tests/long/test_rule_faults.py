"""Faulty error rules: a build reports them, and the answers leave them out."""

from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import SparkSession

from conftest import Warehouse
from oracle.building import batch, row
from oracle.writing import parquet, write_file

RULES = "rules_of_a_user"
GIVEN = f'{{"sync_logs_error_rules_relation": "{RULES}.rules"}}'
TEST = "assert_error_rules_are_sound"
MESSAGES = ("account is frozen", "rate limit", "[odd]")
ROWS = [
    row(key, "upsert", "rejected", message=message, ended=5)
    for key, message in zip("abc", MESSAGES, strict=True)
]
FROZEN = (r"(?i)\bFROZEN\b", "frozen", "5")
FAULTY = {
    ("[odd", "odd", "1"): "the pattern is not a valid Java regular expression",
    ("", "all", "1"): "the pattern is empty, so it would match every reason",
    (None, "none", "1"): "the pattern is null",
    ("rate", None, "1"): "the category is missing",
    ("limit", "limit", "soon"): "the priority is not a whole number: soon",
}


@pytest.fixture
def built(warehouse: Callable[[], Warehouse]) -> Iterator[Warehouse]:
    made = warehouse()
    write_file(made.lake, parquet(batch("1", *ROWS)))
    yield made
    SparkSession.builder.getOrCreate().sql(f"drop schema if exists {RULES} cascade")


def give(*rules: tuple[str | None, str | None, str]) -> None:
    """Put rules into the user's relation."""
    session = SparkSession.builder.getOrCreate()
    session.sql(f"create schema if not exists {RULES}")
    columns = "pattern string, category string, priority string"
    frame = session.createDataFrame(rules, columns).selectExpr(
        "*", "'true' as is_transient", "cast(null as string) as hint"
    )
    frame.createOrReplaceTempView("given_rules")
    session.sql(f"drop table if exists {RULES}.rules")
    session.sql(f"create table {RULES}.rules using parquet as select * from given_rules")
    # dbt would list it in every schema
    session.catalog.dropTempView("given_rules")


def categories(built: Warehouse) -> dict[str, str]:
    shown = {row["failure_reason"]: row["category"] for row in built.rows("errors_by_sync")}
    counted = {row["category"]: row["record_count"] for row in built.rows("errors_by_category")}
    assert set(counted) == set(shown.values())
    assert sum(counted.values()) == len(MESSAGES)
    return shown


def test_faulty_rules_are_named_and_left_out(built: Warehouse) -> None:
    give(FROZEN, *FAULTY)
    assert not built.dbt("build", variables=GIVEN)
    assert built.failed() == [TEST], built.failures()
    warned = next(line for line in built.said if "are left out" in line)
    assert f"{len(FAULTY)} of the rules in {RULES}.rules are left out." in warned
    assert 'pattern "[odd", category "odd": the pattern is not a valid Java' in warned
    assert [fault for fault in FAULTY.values() if fault not in warned] == []
    listed = SparkSession.builder.getOrCreate().sql(compiled(built, TEST)).collect()
    assert {(row["pattern"], row["category"]): row["fault"] for row in listed} == {
        rule[:2]: fault for rule, fault in FAULTY.items()
    }
    only_frozen = dict.fromkeys(MESSAGES, "uncategorised") | {MESSAGES[0]: "frozen"}
    assert categories(built) == only_frozen

    # nothing is new in the lake, but the current rules apply
    give(FROZEN, (r"^\[odd\]$", "odd", "10.0"))
    assert built.dbt("build", variables=GIVEN), built.failures()
    assert [row["skipped_reason"] for row in built.rows("sync_loads")].count("nothing new") == 1
    sound = only_frozen | {MESSAGES[2]: "odd"}
    assert categories(built) == sound
    give(FROZEN)
    assert built.dbt("build", variables=GIVEN), built.failures()
    assert categories(built) == only_frozen
    give(FROZEN, (r"^\[odd\]$", "odd", "10.0"))
    assert built.dbt("build", variables=GIVEN), built.failures()

    # a rule that breaks between two builds does not break queries
    give(("(", "broken", "1"))
    assert categories(built) == sound
    SparkSession.builder.getOrCreate().sql(f"drop table {RULES}.rules")
    assert categories(built) == sound

    # our own rules are there again
    assert built.dbt("run"), built.failures()
    ours = {"rate limit": "rate limit", "account is frozen": "uncategorised"}
    assert categories(built).items() >= ours.items()


def compiled(built: Warehouse, test: str) -> str:
    return next(str(one.node.compiled_code) for one in built.results if one.node.name == test)
