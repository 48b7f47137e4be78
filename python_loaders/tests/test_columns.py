"""How columns of a log map to columns of the lake, and that none of them is lost silently."""

from collections.abc import Sequence

import pytest

from sync_logs_loader import LoadConfig
from sync_logs_loader.columns import ColumnPlan, plan_columns
from sync_logs_loader.errors import ConfigError, MissingColumnError
from sync_logs_loader.sources import guess_format

CONFIG = LoadConfig("lake", "1", "2", "3")
NEEDED = ("identifier", "operation", "status")


def plan(*columns: str, config: LoadConfig = CONFIG) -> ColumnPlan:
    return plan_columns(columns, config)


@pytest.mark.parametrize(
    ("canonical", "names"),
    [
        ("identifier", ("record_identifier",)),
        ("identifier", ("row_id",)),
        ("status_message", ("failure_reason", "failed_reason", "error_reason")),
        ("status_message", ("failed_reason", "error_reason")),
        ("batch_ended_at", ("batch_completed_at",)),
    ],
)
def test_names_of_the_vendors_are_read(canonical: str, names: Sequence[str]) -> None:
    columns = [name for name in (*NEEDED, "record_payload") if name != canonical]
    found = plan(*columns, *names)
    assert found.records[canonical] == names[0]
    assert found.use.renamed == ((names[0], canonical),)
    assert found.use.unused == names[1:]


def test_own_name_goes_before_those_of_the_vendors() -> None:
    found = plan(*NEEDED, "batch_completed_at", "batch_ended_at", "row_id", "record_identifier")
    assert found.records["identifier"] == "identifier"
    assert found.records["batch_ended_at"] == "batch_ended_at"
    assert found.use.renamed == ()
    assert found.use.in_payload == ("batch_completed_at", "row_id", "record_identifier")


def test_mapping_goes_before_every_name() -> None:
    config = LoadConfig("lake", "1", "2", "3", columns={"identifier": "row_id"})
    found = plan(*NEEDED, "row_id", "record_identifier", config=config)
    assert found.records["identifier"] == "row_id"
    assert found.use.renamed == ()
    assert found.use.in_payload == ("identifier", "record_identifier")


def test_two_names_for_the_identifier_are_a_question() -> None:
    with pytest.raises(ConfigError, match="--column identifier=record_identifier"):
        plan("operation", "status", "row_id", "record_identifier")


def test_fields_are_a_payload_beside_the_key_of_hightouch() -> None:
    assert plan("row_id", "operation", "status", "fields").records["record_payload"] == "fields"
    assert plan(*NEEDED, "fields", "n").use.in_payload == ("fields", "n")


def test_words_that_mean_something_else_elsewhere_are_explained() -> None:
    with pytest.raises(MissingColumnError, match="--column identifier=primary_key"):
        plan("primary_key", "operation", "status")
    with pytest.raises(MissingColumnError, match=r"op_type is none: .* insert, update and delete"):
        plan("row_id", "op_type", "status")


def test_what_is_not_in_a_flat_payload_is_told() -> None:
    found = plan(*NEEDED, "n", "sync_run_id", "census_sync_tracking_internal_id", "m")
    assert found.use.in_payload == ("n", "m")
    assert found.use.unused == ("sync_run_id", "census_sync_tracking_internal_id")
    found = plan(*NEEDED, "record_payload", "n", config=LoadConfig("lake", "1", "2", "3"))
    assert (found.use.in_payload, found.use.unused) == ((), ("n",))


def test_ids_have_two_names() -> None:
    config = LoadConfig("lake", "1")
    found = plan(*NEEDED, "sync_id", "sync_run_id", config=config)
    assert found.key_columns["key_sync_id"] == "sync_id"
    assert found.use.renamed == (("sync_id", "sync_configuration_id"),)
    found = plan(*NEEDED, "sync_id", "sync_configuration_id", "sync_run_id", config=config)
    assert found.key_columns["key_sync_id"] == "sync_configuration_id"
    assert found.use.unused == ("sync_id",)


def test_constant_stands_for_a_column_that_is_absent() -> None:
    config = LoadConfig("lake", "1", "2", "3", values={"operation": "upsert"})
    assert plan("identifier", "status", config=config).constants == {"operation": "upsert"}
    with pytest.raises(ConfigError, match=r"Expected no value for operation, .* 'operation'"):
        plan(*NEEDED, config=config)
    with pytest.raises(MissingColumnError, match=r"\(--value operation=TEXT\)"):
        plan("identifier", "status")


@pytest.mark.parametrize(
    ("values", "columns"), [({"identifier": "x"}, {}), ({"status": "x"}, {"status": "state"})]
)
def test_constants_are_checked(values: dict[str, str], columns: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="Expected a value for one of operation, status"):
        LoadConfig("lake", values=values, columns=columns)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        *(("a/log.jsonl", "jsonl"), ("log.json", "jsonl"), ("s3a://b/log.NDJSON.gz", "jsonl")),
        *(("log.csv.gz", "csv"), ("2026.csv/", "csv"), ("logs.csv/part", "parquet")),
        ("log.parquet", "parquet"),
    ],
)
def test_the_format_of_a_source_is_that_of_its_suffix(source: str, found: str) -> None:
    assert guess_format(source) == found
