"""One lake with every possible fault: no fault stops the rest of the build or goes unreported."""

import os
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pyspark.sql import SparkSession

from builds.hostile_files import (
    BELOW_HIDDEN,
    BESIDE_THE_LAYOUT,
    DAMAGED,
    FACTS_BELOW_HIDDEN,
    FACTS_BESIDE_THE_LAYOUT,
    LEFT_BY_WRITERS,
    LINK_TO_NOTHING,
    NOT_UTF_8,
    write_beside,
    write_damaged,
)
from builds.hostile_texts import (
    ORGANISATIONS,
    SPLIT_FIELDS,
    UNREADABLE_METADATA,
    hostile_texts,
)
from builds.hostile_types import (
    FACTS,
    READABLE,
    UNREADABLE,
    WITHOUT_FOOTER,
    expected_types,
    write_facts,
    write_types,
)
from conftest import Warehouse
from dbt_sync_logs import file_audit
from oracle import COLUMNS, compute, differences, read_lake

SPELLING = "assert_new_identifiers_are_spelled_alike"
# three spellings of 39640798 and one of 7; the first of them, and the first other spelling
FLOATS: tuple[int, tuple[str, str | None]] = (4, ("3.9640798E7", "3.9640798e+07"))
RECORDS = "sync_tracking_datasets"
LINK = f"damaged/sync/run/{LINK_TO_NOTHING}"
TYPES = "types `{[*?]}` 100%"
TYPES_RUN = f"sync_tracking_datasets/{TYPES}/it's + \\ \u00e9/a=${{x}}"
DAMAGED_RUN = "sync_tracking_datasets/damaged/sync/run"
AS_OF = datetime(2026, 2, 1, tzinfo=timezone.utc)
VARIABLES = f'{{"sync_logs_as_of": "{AS_OF.isoformat()}"}}'
LEAVES = ["assert_every_file_is_readable", "assert_no_file_is_empty"]
Issue = tuple[str, str, int | None]


def test_nothing_in_a_lake_stops_the_rest(
    warehouse: Callable[[], Warehouse], tmp_path: Path
) -> None:
    build_hostile_lake(warehouse(), tmp_path)


def build_hostile_lake(built: Warehouse, tmp_path: Path) -> None:
    """Write the lake, build it, and assert that the tables are right."""
    lake = built.lake
    texts = hostile_texts()
    texts.write(lake, texts.files)
    texts.write(tmp_path / "texts", texts.files)
    write_types(lake / TYPES_RUN)
    write_facts(lake / "metadata" / TYPES)
    write_damaged(lake / DAMAGED_RUN, lake / "metadata" / "damaged")
    write_beside(lake)

    assert not built.dbt("build", variables=VARIABLES)
    assert built.failed() == LEAVES, built.failures()
    assert listed_issues(built) == expected_issues()
    assert unaccounted_files(built) == {f"{RECORDS}/{path}" for path in LEFT_BY_WRITERS}
    assert listed_as_walked(lake)
    floats = {f"values/{number}": FLOATS for number in range(len(SPLIT_FIELDS))}
    floats[TYPES_RUN.split("/", 2)[2]] = (1, ("1.0E19", None))
    assert spelled_as_floats(built) == floats
    assert differing_texts(built, tmp_path / "texts") == {}
    assert typed_rows(built) == expected_types()
    assert damaged_rows(built) == {"good.99.parquet": 3000}
    assert facts_of_nobody(built) == {name: set() for name in FACTS}
    assert typed_facts(built) == {name: rows for name, (_, rows) in FACTS.items()}


def listed_issues(built: Warehouse) -> dict[str, Issue]:
    """Kind, issue and rows in the footer of every listed file, by its path in the lake."""
    found = {}
    for row in built.rows("lake_file_issues"):
        path = unquote(str(row["file_path"])).split(f"{built.lake}/", 1)[1]
        found[path] = (row["file_kind"], row["issue"], row["footer_record_count"])
        assert row["remedy"]
        is_partial = row["issue"] == "partly unreadable"
        assert 0 < row["loaded_record_count"] < 3000 if is_partial else True
        assert is_partial or row["loaded_record_count"] == 0
    return found


def unaccounted_files(built: Warehouse) -> set[str]:
    """Files with bytes that the disk has, but neither a load nor the table of wrong files."""
    loads = built.rows("int_files__landed", "_state")
    known = {str(row["relative_path"]) for row in (*loads, *built.rows("lake_file_issues"))}
    left = set()
    for folder, _, names in chain(*(os.walk(built.lake / name) for name in (RECORDS, "metadata"))):
        for name in names:
            file = Path(folder, name)
            path = os.fsencode(file.relative_to(built.lake)).decode(errors="backslashreplace")
            above = {path, *map(str, Path(path).parents)}
            if not (above & known) and not (file.exists() and file.stat().st_size == 0):
                left.add(path)
    return left


def spelled_as_floats(built: Warehouse) -> dict[str, tuple[int, tuple[str, str | None]]]:
    """By run, what the warning about identifiers in the spelling of a float shows."""
    (test,) = (one for one in built.results if one.node.name == SPELLING)
    assert str(test.status) == "warn"
    found = {}
    for row in SparkSession.builder.getOrCreate().sql(test.node.compiled_code).collect():
        assert row.organization_id in (ORGANISATIONS[0], TYPES)
        found[f"{row.sync_id}/{row.sync_run_id}"] = (row.record_count, tuple(row.example))
    return found


def listed_as_walked(lake: Path) -> bool:
    """The JVM lists what a walk over the disk finds, but for what Java does not see there."""
    session = SparkSession.builder.getOrCreate()
    listed = dict(file_audit.listed_by_hadoop(session, f"{lake}/{RECORDS}", RECORDS))
    # Java follows a circle of links until the path is too long
    listed = {path: size for path, size in listed.items() if "_circle" not in path}
    walked = dict(file_audit.walked(str(lake / RECORDS), RECORDS))
    unseen = {f"{RECORDS}/{LINK}", os.fsdecode(f"{DAMAGED_RUN}/".encode() + NOT_UTF_8[0])}
    unseen |= {path for path in walked if path.endswith(".crc")}
    return listed == {path: size for path, size in walked.items() if path not in unseen}


def expected_issues() -> dict[str, Issue]:
    issues: dict[str, Issue] = {}
    for number, (name, (_, issue, footer)) in enumerate(DAMAGED.items()):
        issues[f"{DAMAGED_RUN}/{name}.{number}.parquet"] = ("batch", issue, footer)
        issues[f"metadata/damaged/destinations {name}.parquet"] = ("fact", issue, footer)
    issues[f"{DAMAGED_RUN}/zero.98.parquet"] = ("batch", "empty file", None)
    issues["metadata/damaged/destinations zero.parquet"] = ("fact", "empty file", None)
    for number, name in enumerate([*READABLE, *UNREADABLE]):
        if name in WITHOUT_FOOTER:
            found: Issue = ("batch", "footer cannot be read", None)
        elif name in UNREADABLE:
            found = ("batch", "no row can be read", 2)
        else:
            continue
        issues[f"{TYPES_RUN}/{name}.{number}.parquet"] = found
    for name in UNREADABLE_METADATA:
        path = f"sync_tracking_datasets/{ORGANISATIONS[2]}/{name}/1/metadata.json"
        issues[path] = ("metadata", "not a JSON object", None)
    for path in BESIDE_THE_LAYOUT:
        issues[f"sync_tracking_datasets/{path}"] = ("other", "outside the layout", None)
    hidden = ("other", "hidden from queries", None)
    for path in (*BELOW_HIDDEN.values(), f"damaged/sync/run/{NOT_UTF_8[1]}", LINK):
        issues[f"{RECORDS}/{path}"] = hidden
    for path in FACTS_BELOW_HIDDEN.values():
        issues[f"metadata/{path}"] = hidden
    for path in FACTS_BESIDE_THE_LAYOUT:
        issues[f"metadata/{path}"] = ("other", "outside the layout", None)
    return issues


def differing_texts(built: Warehouse, texts: Path) -> dict[str, list[str]]:
    """The tables that do not match the specification for the hostile texts."""
    expected = compute(read_lake(texts), AS_OF)
    found = {}
    for table, columns in COLUMNS.items():
        rows = [row for row in built.rows(table) if row["organization_id"] in ORGANISATIONS]
        shown = [column for column in columns if not rows or column in rows[0]]
        lines = differences(expected[table], rows, shown)
        found[table] = [line[:600] for line in lines[:6]]
        assert rows
    return {table: lines for table, lines in found.items() if lines}


def typed_rows(built: Warehouse) -> dict[str, list[Any]]:
    """Identifier, payload and end time of each row of the files of all types."""
    found: dict[str, list[Any]] = defaultdict(list)
    rows = [row for row in built.rows("sync_records") if row["sync_id"] == TYPES_RUN.split("/")[2]]
    for row in sorted(rows, key=lambda row: (row["batch_number"], row["row_index"])):
        ended_at = row["batch_ended_at"]
        moment = ended_at.astimezone(timezone.utc) if ended_at is not None else None
        found[row["batch_type"]].append((row["identifier"], row["record_payload"], moment))
    return dict(found)


def damaged_rows(built: Warehouse) -> dict[str, int]:
    """The rows that were read from each file of the run with the damaged files."""
    counts: dict[str, int] = defaultdict(int)
    for row in built.rows("sync_records"):
        if row["organization_id"] == "damaged":
            counts[row["file_name"]] += 1
    return dict(counts)


Facts = dict[str, set[tuple[str | None, ...]]]


def typed_facts(built: Warehouse) -> Facts:
    """Id, type and name of each fact of the organisation with unusual fact files."""
    return facts_where(built, lambda organization_id: organization_id == TYPES)


def facts_of_nobody(built: Warehouse) -> Facts:
    """Facts that can only come from a damaged file, or from one outside the layout."""
    return facts_where(built, lambda one: one not in (*ORGANISATIONS, TYPES))


def facts_where(built: Warehouse, is_asked: Callable[[str], bool]) -> Facts:
    return {
        name: {
            (row["id"], row["type"], row["name"])
            for row in built.rows(name)
            if is_asked(row["organization_id"])
        }
        for name in FACTS
    }
