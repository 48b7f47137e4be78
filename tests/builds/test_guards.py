"""Each guard of the macros stops or warns in some test; here are those that need no build."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from builds.called_macros import Macros, StoppedError
from helpers.project import PROJECT

GUARD = re.compile(
    r"(?:sync_logs\.stop|exceptions\.raise_compiler_error|exceptions\.warn)\((.*?)\) ?-?%}",
    re.DOTALL,
)
# they pass on a message that others write
PASSED_ON = {
    "message": "stop",
    "'sync_logs_sources ' ~ fault ~ '.'": "test_settings_of_sources.py",
    "'sync_logs_words ' ~ fault ~ '.'": "test_messages.py",
    "macro_name ~ ': ' ~ name ~ ' is ' ~ shown ~ '; ' ~ remedy ~ '.'": "test_arguments.py",
}
SETTINGS: dict[str, Any] = {
    **{"sync_logs_settle_minutes": 60, "sync_logs_retention_days": None},
    **{"sync_logs_max_live_loads": 8, "sync_logs_file_format": None, "sync_logs_as_of": None},
    **{
        "sync_logs_lake_moved": False,
        "sync_logs_new_state": False,
        "sync_logs_operation_price": None,
        "sync_logs_python_models": None,
    },
}
SOURCE = {"name": "ht", "type": "hightouch", "relations": {"sync_runs": "audit.runs"}}
OF_SOURCE: dict[str, Any] = {
    **{"tables_read_of": {"sync_changelog": {"row_id": "needed"}}, "is_replaced": False},
    **{"source_relation": None, "source_columns": {}, "written_schemas": ["logs"]},
}
COLLECTED: dict[str, Any] = {
    **{"load_id": "3", "operation_load_id": "4", "is_unowned": False, "has_commit_log": True}
}


def told(macro: str, *args: Any, given: dict[str, Any] | None = None, **context: Any) -> str:
    """What a macro said when it stopped; empty if it did not."""
    context.setdefault("target", SimpleNamespace(database=None))
    try:
        getattr(Macros(given or {}, **context), macro)(*args)
    except StoppedError as stopped:
        return str(stopped)
    return ""


def test_schemas_that_the_package_reads_are_not_written() -> None:
    given: dict[str, Any] = {"written_schemas": ["logs_lake"], "lake_schema": "LOGS_LAKE"}
    said = told("check_schemas", given=given)
    assert said.startswith("The schema LOGS_LAKE is that of the lake, but tables would be written")
    given["lake_schema"] = "other"
    assert told("check_schemas", given=given, variables={}) == ""
    names = {"sync_logs_names_relation": "`LOGS_LAKE`.names"}
    said = told("check_schemas", given=given, variables=names)
    assert "names_relation is `LOGS_LAKE`.names, in a schema that this package writes" in said


def test_settings_that_mean_nothing() -> None:
    sound: dict[str, Any] = {"check_words": "", "lake_path": "/lake"}
    sound |= {"check_names_of_settings": "", "check_schemas": "", "is_time": True}
    assert told("check_settings", given=sound, variables=SETTINGS) == ""
    python = {**SETTINGS, "sync_logs_python_models": "yes"}
    said = told("check_settings", given=sound, variables=python)
    assert said == "sync_logs_python_models is yes; give true, false or null."
    said = told("check_settings", given={**sound, "lake_path": ""}, variables=SETTINGS)
    assert said.startswith("sync_logs_lake_path is empty; set it, or SYNC_LOGS_LAKE_PATH, to the")


def test_a_source_without_a_table_that_it_needs() -> None:
    macro = "check_tables_of_source"
    assert "needs the table sync_changelog, and relations names only sync_runs" in told(
        macro, SOURCE, given=OF_SOURCE
    )
    found: dict[str, Any] = {"source_relation": "audit.changelog"}
    assert (
        "needs the table sync_changelog, and audit.changelog cannot be read. Correct its"
        in told(macro, SOURCE, given=OF_SOURCE | found)
    )
    found["source_columns"] = {"id": "string"}
    assert "needs the columns row_id in audit.changelog, which has id. Give a table" in told(
        macro, SOURCE, given=OF_SOURCE | found
    )
    found["source_columns"] = {"row_id": "string"}
    assert told(macro, SOURCE, given=OF_SOURCE | found) == ""


def test_a_relation_of_names_that_has_other_columns() -> None:
    macro, variables = "check_columns_of_names", {"sync_logs_names_relation": "a.names"}
    said = told(macro, {}, variables=variables)
    assert said.startswith("sync_logs_names_relation is a.names, which cannot be read. Correct the")
    said = told(macro, {"id": "string", "name": "string"}, variables=variables)
    assert "which lacks the columns kind, type and has id, name. Its columns are" in said
    sound = dict.fromkeys(("kind", "id", "name", "type"), "string")
    assert told(macro, sound, variables=variables) == ""


def test_a_seed_whose_ids_dbt_reads_as_numbers() -> None:
    setting = "sync_logs_settings_relation"
    seed = SimpleNamespace(nodes={"seed.shop.mine": SimpleNamespace(name="mine")})
    context: dict[str, Any] = {
        "variables": {setting: "mine"},
        "project_name": "shop",
        "graph": seed,
    }
    for kind, said in (("int", "has read sync_id as int"), ("string", "")):
        given = {"is_building": True, "table_of": "t", "described_columns": {"sync_id": kind}}
        found = told("check_ids_of_seed", setting, ["sync_id"], given=given, **context)
        assert said in found
        assert bool(said) == bool(found)


@pytest.mark.parametrize("file_format", ["delta", "iceberg", "parquet"])
def test_a_format_that_needs_a_catalog(file_format: str) -> None:
    # the answer to both questions: which catalog is the default one, and what it is
    found = SimpleNamespace(rows=[("spark_catalog", "another")])
    said = told("check_engine", given={"file_format": file_format}, run_query=lambda _: found)
    refused = f"sync_logs_file_format is {file_format}, but this Spark has no catalog for it"
    assert said.startswith(refused) is (file_format != "parquet")


@pytest.mark.parametrize("file_format", ["delta", "iceberg", "parquet"])
def test_a_default_catalog_that_is_not_the_one_of_spark(file_format: str) -> None:
    found = SimpleNamespace(rows=[("my-catalog", "another")])
    said = told("check_engine", given={"file_format": file_format}, run_query=lambda _: found)
    if file_format == "iceberg":
        assert "(spark.sql.catalog.my-catalog is another). Set it to org.apache.iceberg." in said
    else:
        assert "but the default catalog of this Spark is my-catalog, which can only" in said
    found.rows = [("my-catalog", "org.apache.iceberg.spark.SparkCatalog")]
    said = told("check_engine", given={"file_format": file_format}, run_query=lambda _: found)
    assert (said == "") is (file_format == "iceberg")


def test_a_collection_beside_another_build_keeps_files() -> None:
    macros = Macros(COLLECTED)
    listed, references = ["1", "2", "3"], {"load": ["1"]}
    assert macros._erases_now(True, listed, references, False) is False
    (warned,) = macros.warned
    assert warned.startswith("The build of load 2 may still be running, so the files of dropped")
    alone = Macros(COLLECTED | {"is_unowned": True})
    assert alone._erases_now(True, listed, references, True) is True
    assert alone.warned == []


def test_each_guard_is_in_a_test() -> None:
    """Three words of each message that no value interrupts are what a test looks for."""
    folders = [PROJECT / "tests", PROJECT / "python_loaders" / "tests"]
    texts = [file.read_text() for folder in folders for file in folder.rglob("*.py")]
    tests = " ".join(map(words_of, texts))
    unseen = {}
    for file in (PROJECT / "macros").rglob("*.sql"):
        for call in GUARD.findall(file.read_text()):
            message = " ".join(call.split())
            if message not in PASSED_ON and not any(part in tests for part in parts_of(message)):
                unseen[message] = file.name
    assert unseen == {}


def parts_of(message: str) -> list[str]:
    """All runs of three words in the texts of a message."""
    joined = re.sub(r"' ~ '", "", message)
    texts = [one or other for one, other in re.findall(r"'([^']*)'|\"([^\"]*)\"", joined)]
    words = [words_of(text).split() for text in texts]
    return [f" {' '.join(one[at : at + 3])} " for one in words for at in range(len(one) - 2)]


def words_of(text: str) -> str:
    """The words without what is between them."""
    return f" {' '.join(re.findall(r'[a-zA-Z_0-9]+', text))} "
