"""The tests of dbt_expectations that this project uses, on data whose failures are counted by hand.

They run with the stand-in, and with the package if it is installed: both give the same counts.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from conftest import Warehouse
from helpers.project import PROJECT

A_ABOVE_B = "expect_column_pair_values_A_to_be_greater_than_B"
BETWEEN = "expect_column_values_to_be_between"
INCREASING = "expect_column_values_to_be_increasing"
REGEX = "expect_column_values_to_match_regex"
ROW_COUNT = "expect_table_row_count_to_equal_other_table"
UNIQUE = "expect_compound_columns_to_be_unique"

STAND_INS = PROJECT / "scripts" / "stand_ins"
INSTALLED = PROJECT / "dbt_packages"
IS_PACKAGE = not (INSTALLED / "dbt_expectations" / "STAND_IN.md").exists()
FOLDERS = [STAND_INS, INSTALLED] if IS_PACKAGE else [STAND_INS]

# name: (columns, rows)
TABLES = {
    "pairs": ("id, a, b", "(1, 1, 2), (2, 2, 2), (3, null, 2), (4, 2, null), (5, 3, 2)"),
    "steps": (
        "sync, place, moment",
        "('a', 1, 10), ('a', 2, 10), ('a', 3, 20), ('a', 4, null), ('a', 5, 15), "
        "('b', null, 9), ('b', 1, 5)",
    ),
    "texts": (
        "id, word",
        "(1, 'd41d8cd98f00b204e9800998ecf8427e'), (2, 'D41D8CD98F00B204E9800998ECF8427E'), "
        "(3, null), (4, ''), (5, 'x d41d8cd98f00b204e9800998ecf8427e y')",
    ),
    "keys": (
        "id, a, b",
        "(1, 'k', 'x'), (2, 'k', 'x'), (3, 'k', null), (4, 'k', null), (5, null, null), "
        "(6, null, null), (7, 'l', 'x')",
    ),
    "sent": ("run", "('1'), ('1'), ('2')"),
    "sent_otherwise": ("run", "('1'), ('2'), ('2')"),
    "sent_twice": ("run", "('1'), ('1'), ('1'), ('1'), ('2'), ('2')"),
    "sent_in": ("run_id", "('1'), ('1'), ('2')"),
    "sent_in_no_run": ("run", "(cast(null as string))"),
    "logged": ("run, status", "('1', 'ok'), ('1', 'ok'), ('1', 'no'), ('2', 'ok'), ('3', 'no')"),
}


class Case(NamedTuple):
    """A test on a table, and how many failures it reports."""

    failures: int
    test: str
    table: str
    column: str | None = None
    arguments: dict[str, Any] = {}  # noqa: RUF012  # never changed

    def __str__(self) -> str:
        place = f"{self.table}.{self.column}" if self.column else self.table
        return f"{self.test} of {place} with {self.arguments}"


def pair(failures: int, **arguments: Any) -> Case:
    return Case(failures, A_ABOVE_B, "pairs", None, {"column_A": "b", "column_B": "a"} | arguments)


def between(failures: int, **arguments: Any) -> Case:
    return Case(failures, BETWEEN, "pairs", "a", arguments)


def increasing(failures: int, column: str = "moment", **arguments: Any) -> Case:
    return Case(failures, INCREASING, "steps", column, arguments)


def regex(failures: int, pattern: str, **arguments: Any) -> Case:
    return Case(failures, REGEX, "texts", "word", {"regex": pattern} | arguments)


def unique(failures: int, **arguments: Any) -> Case:
    return Case(failures, UNIQUE, "keys", None, {"column_list": ["a", "b"]} | arguments)


def row_count(failures: int, table: str, other: str, **arguments: Any) -> Case:
    return Case(failures, ROW_COUNT, table, None, {"compare_model": f"ref('{other}')"} | arguments)


PLACED: dict[str, Any] = {"sort_column": "place", "group_by": ["sync"]}
HAS_PLACE = {"row_condition": "place is not null"}
OK = {"compare_row_condition": "status = 'ok'"}
BY_RUN = {"group_by": ["run"]}
CASES = [
    # nulls never fail; equal values fail unless or_equal is set
    pair(2),
    pair(1, or_equal=True),
    pair(0, or_equal=True, row_condition="id < 5"),
    pair(0, row_condition="id = 1 or id = 3"),
    pair(2, row_condition="id = 2 or id = 5"),
    # the bounds are inclusive; zero is a valid bound
    between(0, min_value=1, max_value=3),
    between(2, min_value=1, max_value=3, strictly=True),
    between(1, min_value=2),
    between(1, max_value=2),
    between(4, max_value=0),
    between(0, min_value=0, strictly=True),
    between(0, min_value=2, row_condition="id > 1"),
    between(2, min_value=2, max_value=2, row_condition="id = 1 or id = 5"),
    # a null does not fail and is not skipped; without a sort column, it sorts by itself
    increasing(1, **PLACED, strictly=False),
    increasing(0, **PLACED, **HAS_PLACE, strictly=False),
    increasing(1, **PLACED, **HAS_PLACE),
    increasing(0, sort_column="place", strictly=False, row_condition="sync = 'a'"),
    increasing(1, sort_column="place", row_condition="sync = 'a'"),
    increasing(0, strictly=False),
    increasing(1),
    increasing(0, "place", **PLACED, **HAS_PLACE, step=1),
    increasing(4, "place", **PLACED, **HAS_PLACE, step=2),
    # matches anywhere unless anchored; nulls never fail; an empty match is not a match
    regex(3, "^[0-9a-f]{32}$"),
    regex(2, "[0-9a-f]{32}"),
    regex(0, "^[0-9a-f]{32}$", row_condition="id in (1, 3)"),
    regex(3, "x*"),
    # nulls are equal to each other; rows that are all null are left out
    unique(2),
    unique(2, quote_columns=True),
    unique(1, ignore_row_if="any_value_is_missing"),
    unique(0, ignore_row_if="any_value_is_missing", row_condition="id > 1"),
    unique(1, row_condition="id in (3, 4, 5, 6)"),
    unique(0, column_list=["id", "a"]),
    # a condition applies to both tables unless the other one has its own
    row_count(1, "sent", "logged"),
    row_count(0, "sent", "logged", **OK),
    row_count(0, "sent", "logged", **OK, **BY_RUN),
    row_count(2, "sent", "logged", **BY_RUN),
    row_count(2, "logged", "sent", **BY_RUN),
    row_count(0, "sent", "sent_otherwise"),
    row_count(2, "sent", "sent_otherwise", **BY_RUN),
    row_count(1, "sent", "sent_otherwise", row_condition="run = '1'"),
    row_count(
        0,
        "sent",
        "sent_otherwise",
        row_condition="run = '1'",
        compare_row_condition="run = '2'",
    ),
    row_count(0, "sent_twice", "sent", factor=2),
    row_count(0, "sent_twice", "sent", factor=2, **BY_RUN),
    row_count(1, "sent", "sent", factor=2),
    row_count(0, "sent", "sent_in", **BY_RUN, compare_group_by=["run_id"]),
    # null groups match no group
    row_count(0, "sent_in_no_run", "sent_in_no_run"),
    row_count(2, "sent_in_no_run", "sent_in_no_run", **BY_RUN),
    # two empty tables are equal
    row_count(1, "sent", "sent", compare_row_condition="false"),
    row_count(0, "sent", "sent", row_condition="false"),
    row_count(0, "sent", "sent", row_condition="false", **BY_RUN),
]


@pytest.mark.parametrize("packages", FOLDERS)
def test_the_verdicts(packages: Path, tmp_path: Path, warehouse: Callable[[], Warehouse]) -> None:
    built = warehouse()
    built.project = write_project(tmp_path / "project", packages)
    built.dbt("build")
    found = {one.node.name: one for one in built.results}
    assert [name for name in TABLES if str(found[name].status) != "success"] == [], built.failures()
    outcomes = [found[f"case_{number}"] for number in range(len(CASES))]
    wrong = [
        f"{case}: {outcome.status} with {outcome.failures}, not {case.failures} ({outcome.message})"
        for case, outcome in zip(CASES, outcomes, strict=True)
        if (str(outcome.status), outcome.failures) != (verdict(case), case.failures)
    ]
    assert wrong == []


def test_each_used_test_is_tested_and_in_the_stand_in() -> None:
    described = "".join(file.read_text() for file in (PROJECT / "models").rglob("*.yml"))
    used = set(re.findall(r"dbt_expectations\.(\w+)", described))
    stand_in = (STAND_INS / "dbt_expectations" / "macros").iterdir()
    assert used == {case.test for case in CASES} == {file.stem for file in stand_in}


def verdict(case: Case) -> str:
    return "fail" if case.failures else "pass"


def write_project(folder: Path, packages: Path) -> Path:
    """Write a project with the tables, each case as a test, and a folder of packages."""
    models = folder / "models"
    models.mkdir(parents=True)
    project = {
        "name": "expectations",
        "profile": "sync_logs",
        "packages-install-path": str(packages),
        "flags": {
            "require_generic_test_arguments_property": True,
            "send_anonymous_usage_stats": False,
        },
    }
    (folder / "dbt_project.yml").write_text(yaml.safe_dump(project))
    described: dict[str, Any] = {name: {"name": name, "data_tests": []} for name in TABLES}
    for number, case in enumerate(CASES):
        # only this argument tells dbt that a test is on a column
        arguments = ({"column_name": case.column} if case.column else {}) | case.arguments
        called = {"name": f"case_{number}", "arguments": arguments}
        described[case.table]["data_tests"].append({f"dbt_expectations.{case.test}": called})
    models_yaml = {"version": 2, "models": list(described.values())}
    (models / "_models.yml").write_text(yaml.safe_dump(models_yaml))
    for name, (columns, rows) in TABLES.items():
        (models / f"{name}.sql").write_text(f"select * from values {rows} as t ({columns})")
    return folder
