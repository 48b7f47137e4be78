"""What the audit says of each file of a lake; `tests/long/test_audited_files.py` has builds."""

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builds.audited_lake import FINDINGS, RUN, write_lake
from dbt_sync_logs.file_audit import (
    COLUMNS,
    MOST_BYTES,
    Fault,
    File,
    explained,
    faults_of,
    hidden_files,
    located,
    news,
    row_of,
)


def parquet(**columns: pa.Array) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


ONE = {"identifier": pa.array(["a"])}


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        (pa.time32("ms"), "time of day"),
        (pa.time64("us"), "time of day"),
        (pa.float16(), "float of 16 bits"),
        (pa.uuid(), "UUID"),
        (pa.decimal256(60, 2), "decimal(60, 2)"),
    ],
)
def test_a_type_that_spark_cannot_read_is_named(type_: pa.DataType, words: str) -> None:
    values = {pa.float16(): [np.float16(1)], pa.uuid(): [b"0" * 16]}.get(type_, [1])
    column = pa.array(values, type_)
    detail = f"The column status has the type {words}."
    assert faults_of(parquet(**ONE, status=column), COLUMNS["batch"]) == [
        Fault("type not supported", detail, 1)
    ]
    # a column that no build reads does not matter
    assert faults_of(parquet(**ONE, extra=column), COLUMNS["batch"]) == [
        Fault("no fault found", "All columns can be decoded, but Spark reads fewer rows.", 1)
    ]


def test_a_damaged_footer_is_distinguished_from_a_damaged_column() -> None:
    content = bytearray(parquet(**ONE))
    content[-30:-8] = b"\xff" * 22
    assert [one.issue for one in faults_of(bytes(content), COLUMNS["batch"])] == [
        "footer cannot be parsed"
    ]
    assert [one.issue for one in faults_of(b"", COLUMNS["batch"])] == ["not a parquet file"]


@pytest.mark.parametrize(
    ("path", "folder", "lake", "expected"),
    [
        (
            "file:/l%20x/lake/sync_tracking_datasets/o/s%2B1/r+1/a.1.parquet",
            "sync_tracking_datasets",
            "/l x/lake",
            ("sync_tracking_datasets/o/s+1/r+1/a.1.parquet", "batch", "o", "s+1", "r+1"),
        ),
        (
            "s3a://bucket/metadata/o/destinations_2.parquet",
            "metadata",
            "s3a://bucket",
            ("metadata/o/destinations_2.parquet", "fact", "o", None, None),
        ),
        (
            "file:/x/metadata/metadata/o/people.parquet",
            "metadata",
            "/x/metadata",
            ("metadata/o/people.parquet", "other", "o", None, None),
        ),
        (
            "file:/x/.sync_logs/demo_lake/sync_tracking_datasets/lost",
            "sync_tracking_datasets",
            ".sync_logs/demo_lake",
            ("sync_tracking_datasets/lost", "other", None, None, None),
        ),
        (
            "file:/x/sync_tracking_datasets/o/s/r/deep/metadata.json",
            "sync_tracking_datasets",
            "/",
            ("sync_tracking_datasets/o/s/r/deep/metadata.json", "other", "o", "s", "r"),
        ),
    ],
)
def test_a_path_tells_what_the_file_is(
    path: str, folder: str, lake: str, expected: tuple[object, ...]
) -> None:
    file = located(path, folder, lake)
    ids = (file.organization_id, file.sync_id, file.sync_run_id)
    assert (file.relative_path, file.file_kind, *ids) == expected


def test_hidden_files_are_listed_once_and_forgotten_when_they_are_gone() -> None:
    stored = {"metadata/o/_a/b": 1, "metadata/o/_a/.c": 2, "metadata/o/_b": 0, "metadata/o/new": 1}
    found = hidden_files({**stored, "metadata/_x/y": 1}, {"metadata/_x/z"}, "s3a://lake")
    (hidden,) = found
    assert (hidden[0], hidden[1], hidden[7]) == ("metadata/o/_a", "s3a://lake/metadata/o/_a", 3)
    (local,) = hidden_files({"metadata/o/_ a": 1}, set(), "/x/100%25 é")
    assert local[:2] == ("metadata/o/_ a", "file:/x/100%2525%20%C3%A9/metadata/o/_%20a")
    assert hidden[9].startswith("A folder, files in it: 2. Spark skips names that begin with _")

    grown = hidden_files({**stored, "metadata/o/_a/d": 9}, set(), "s3a://lake")
    assert news(grown, found) == []
    assert news(found, []) == found
    (gone,) = news([], found)
    assert (gone[0], gone[8], gone[11]) == ("metadata/o/_a", "no longer found", True)
    # an idle build after one that could not be committed says it once
    assert news([], [*found, gone]) == []


def batch_file(name: str, size: int = 10) -> File:
    return File(f"{RUN}/{name}", f"file:/{name}", "batch", "org", "sync 1", "run+1", name, size)


def test_the_number_of_audited_files_is_limited_and_unchanged_files_are_skipped() -> None:
    asked: list[str] = []

    def read(file: File) -> bytes:
        asked.append(file.file_name)
        if file.file_name == "b_new":
            raise OSError("the text of an error may contain a secret")
        return b"text"

    files = [
        (batch_file("a_kept"), False),
        (batch_file("b_new"), True),
        (batch_file("b_rewritten"), True),
        (batch_file("c_huge", MOST_BYTES + 1), True),
        (batch_file("d_left_over"), False),
        (batch_file("e_too_many"), True),
    ]
    as_before = Fault("column cannot be decoded", "as before", 7)
    known = [row_of(batch_file(name), as_before) for name in ("a_kept", "b_rewritten")]
    rows = explained(files, known, read, limit=4)

    assert asked == ["b_new", "b_rewritten", "d_left_over"]
    no_parquet = "It does not begin with the letters PAR1 of a parquet file."
    assert [(row[6], row[8], row[9]) for row in rows] == [
        ("a_kept", "column cannot be decoded", "as before"),
        ("b_new", "not audited", "Spark cannot read its bytes (OSError)."),
        ("b_rewritten", "not a parquet file", no_parquet),
        ("c_huge", "not audited", "The file is larger than 100 MiB."),
        ("d_left_over", "not a parquet file", no_parquet),
        ("e_too_many", "not audited", "A build checks at most 4 files; the next build continues."),
    ]


def test_the_fault_of_a_file_is_reported_without_its_data(tmp_path: Path) -> None:
    write_lake(tmp_path)
    for path, kind, issue, detail, record_count in FINDINGS:
        if kind == "batch" and issue != "empty file":
            faults = faults_of((tmp_path / path).read_bytes(), COLUMNS["batch"])
            assert faults == [Fault(issue, detail, record_count)]
