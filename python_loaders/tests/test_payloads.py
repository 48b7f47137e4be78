"""Payloads are kept as they were logged: Python cuts the expected ones from the input."""

import csv
import gzip
import json
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from sync_logs_loader import LoadConfig, RunKey, load_log
from sync_logs_loader.errors import InvalidRecordsError, WriteError
from sync_logs_loader.sources import read_source

from .conftest import read_batches, read_metadata

RUN = RunKey("1", "2", "3")
SENT = '"operation":"upsert","status":"succeeded"'
# Spelled as in a line: numbers that Java or Python would spell differently, nulls, duplicate
# keys, escapes, brackets and quotes in texts.
OBJECTS = [
    '{"amount":1,"plan":"pro"}',
    '{"amount": 2.5, "note":null}',
    '{"a":1.0,"b":1e5,"c":1E+05,"d":12345678901234567890,"e":0.12345678901234567890123456789}',
    '{"z":1,"a":{"y":null,"x":[1.50,{"k":[]}, "}"]},"z":2}',
    r'{"t":"\u00e9\/\" ] } , : \\","é":"\ud83d\ude00"}',
    "{}",
    '{ "n" : NaN }',
    "[1,2.0]",
]


def payloads(
    spark: SparkSession, lake: Path, source: Path, source_format: str = "jsonl"
) -> dict[str, str | None]:
    """The payloads in the batches after a load, by identifier."""
    load_log(
        spark, read_source(spark, str(source), source_format), LoadConfig(str(lake), "1", "2", "3")
    )
    rows = [row for batch in read_batches(lake, RUN) for row in batch]
    return {row["identifier"]: row["record_payload"] for row in rows}


def test_two_files_of_json_lines_do_not_alter_each_other(
    spark: SparkSession, tmp_path: Path
) -> None:
    first, second = '{"amount":1,"plan":"pro"}', '{"amount":2.5,"plan":"pro","note":"x"}'
    logs = tmp_path / "logs"
    logs.mkdir()
    line = '{{"identifier":"{}",{},"record_payload":{}}}\n'
    (logs / "1.jsonl").write_text(line.format("a", SENT, first), encoding="utf-8")
    both = line.format("a2", SENT, first) + line.format("b", SENT, second)
    (logs / "2.jsonl").write_text(both, encoding="utf-8")
    assert payloads(spark, tmp_path / "lake", logs) == {"a": first, "a2": first, "b": second}


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
def test_objects_and_texts_keep_every_character(
    spark: SparkSession, tmp_path: Path, suffix: str
) -> None:
    texts = [*OBJECTS, "no json", "", ' {"a": 1}\n', "nested in a text: " + OBJECTS[4]]
    as_objects = {f"o{n}": payload for n, payload in enumerate(OBJECTS)}
    as_texts = {f"t{n}": payload for n, payload in enumerate(texts)}
    spelled = {**as_objects, **{key: json.dumps(text) for key, text in as_texts.items()}}
    lines = [
        f'{{"identifier":"{key}", "record_payload" : {value} ,{SENT}}}\r\n'
        for key, value in spelled.items()
    ]
    lines += [f'{{{SENT},"identifier":"null","record_payload":null}}\n\n \t\n']
    lines += [f'{{{SENT},"identifier":"absent"}}']
    source = tmp_path / f"log.{suffix}"
    opened = gzip.open if suffix.endswith("gz") else open
    with opened(source, "wt", encoding="utf-8-sig", newline="") as file:
        file.write("".join(lines))
    found = payloads(spark, tmp_path / "lake", source)
    assert found == {**as_objects, **as_texts, "null": None, "absent": None}


def test_flat_lines_have_a_payload_of_their_own_keys(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "log.jsonl"
    members = {
        "a": '"amount":1,"tags":["x", "}"],"note":null',
        "b": '"late":{"status":"inner"},"amount":2.50',
        "c": '"amount":"2"',
        "d": "",
    }
    lines = [
        # an id that is given as an option is not a field of a record
        f'{{"identifier":"{key}",{text}{"," if text else ""} {SENT},"sync_run_id":"7"}}\n'
        for key, text in members.items()
    ]
    source.write_text("".join(lines), encoding="utf-8")
    found = payloads(spark, tmp_path / "lake", source)
    assert found == {key: f"{{{text}}}" for key, text in members.items()}
    # The kinds of fields are still inferred from all of them.
    assert read_metadata(tmp_path / "lake", RUN)["record_payload_schema"] == {
        "amount": "string",
        "late": "string",
        "note": "string",
        "tags": "array",
    }


def test_folder_names_are_columns_of_json_lines(spark: SparkSession, tmp_path: Path) -> None:
    for day in ("2026-10-01", "2026-10-02"):
        folder = tmp_path / "logs" / f"day={day}"
        folder.mkdir(parents=True)
        text = f'{{"identifier":"{day}",{SENT},"n":1.0}}\n'
        (folder / "log.jsonl").write_text(text, encoding="utf-8")
    assert payloads(spark, tmp_path / "lake", tmp_path / "logs") == {
        day: f'{{"n":1.0,"day":"{day}"}}' for day in ("2026-10-01", "2026-10-02")
    }


def test_list_of_objects_on_one_line(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "log.json"
    rows = [f'{{"identifier":"{n}",{SENT},"record_payload":{OBJECTS[n]}}}' for n in range(5)]
    source.write_text(f"[{' , '.join(rows)}]\n[]\n", encoding="utf-8")
    assert payloads(spark, tmp_path / "lake", source) == {str(n): OBJECTS[n] for n in range(5)}


def test_long_payloads(spark: SparkSession, tmp_path: Path) -> None:
    payload = json.dumps({"text": '"\\' * 200_000, "list": [{"k": 1}] * 100_000})
    source = tmp_path / "log.jsonl"
    source.write_text(f'{{"identifier":"a",{SENT},"record_payload":{payload}}}', encoding="utf-8")
    assert payloads(spark, tmp_path / "lake", source) == {"a": payload}


ROW = f'{{"identifier":"a",{SENT},"n":1}}'
PAYLOAD_ROW = f'{{"identifier":"a",{SENT},"record_payload":{{}}}}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [ROW, "", ROW[:-1], ROW[:-5]],
            "but 2 lines are not objects .* the first is line 3 of file:",
        ),
        ([ROW, ROW + ROW], "but 1 lines are not objects .* is line 2 of"),
        ([PAYLOAD_ROW, PAYLOAD_ROW + " x"], "but 1 lines are not objects .* is line 2 of"),
        ([ROW, f"[{ROW},{ROW}] x"], "but 1 lines are not objects .* is line 2 of"),
        ([ROW, f"[{ROW},1,2]"], "but 2 lines are not objects .* is line 2 of"),
        ([ROW, "null"], "is line 2 of .*: 'null'. Repair or remove"),
        (["[", ROW, "]"], r"but 2 lines are not objects .* is line 1 of .* jq -c '\.\[\]' FILE"),
        ([f'{{{SENT},"identifier":{"[" * 70}{"]" * 70}}}'], "or are nested deeper than 64"),
    ],
)
def test_lines_that_are_no_objects_are_counted(
    spark: SparkSession, tmp_path: Path, lines: list[str], message: str
) -> None:
    source = tmp_path / "log of a day.jsonl"
    source.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InvalidRecordsError, match=message):
        payloads(spark, tmp_path / "lake", source)
    assert not list((tmp_path / "lake").rglob("*.parquet"))


CSV_PAYLOADS = ['{"a": 1.0,\n "b":"x\\""}', " {} ", "", None, "it said ,"]


def test_csv_payloads_keep_every_character(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "log.csv"
    quoted = [
        '"{}"'.format(text.replace('"', '""')) if text is not None else "" for text in CSV_PAYLOADS
    ]
    rows = [f"{n},{text},upsert,succeeded\r\n" for n, text in enumerate(quoted)]
    header = "identifier,record_payload,operation,status\r\n"
    source.write_text(header + "".join(rows), encoding="utf-8-sig", newline="")
    found = payloads(spark, tmp_path / "lake", source, "csv")
    assert found == {str(n): text for n, text in enumerate(CSV_PAYLOADS)}


def test_flat_csv_has_texts(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "log.csv"
    source.write_text(
        'identifier,operation,status,n,m\na,upsert,succeeded,01,1.0\nb,upsert,succeeded,"",\n',
        encoding="utf-8",
    )
    assert payloads(spark, tmp_path / "lake", source, "csv") == {
        "a": '{"n":"01","m":"1.0"}',
        "b": '{"n":"","m":null}',
    }


def test_csv_that_quotes_every_cell_has_nulls_outside_of_payloads(
    spark: SparkSession, tmp_path: Path
) -> None:
    source = tmp_path / "log.csv"
    with source.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["identifier", "operation", "status", "status_message", "batch_ended_at"])
        writer.writerow(["a", "upsert", "succeeded", None, None])
    payloads(spark, tmp_path / "lake", source, "csv")
    ((row,),) = read_batches(tmp_path / "lake", RUN)
    assert (row["status_message"], row["batch_ended_at"]) == (None, None)


@pytest.mark.parametrize("ids", [("1", "2", "3"), (None, None, None)])
@pytest.mark.parametrize("row", ["b,upsert,succeeded", "b,upsert,succeeded,1,2"])
def test_csv_rows_with_other_cells_are_counted(
    spark: SparkSession, tmp_path: Path, row: str, ids: tuple[str | None, str | None, str | None]
) -> None:
    source = tmp_path / "log.csv"
    head = "organization_id,sync_id,sync_run_id,identifier,operation,status,n"
    source.write_text(f"{head}\n1,2,3,a,upsert,succeeded,1\n1,2,3,{row}\n", encoding="utf-8")
    log = read_source(spark, str(source), "csv")
    with pytest.raises(InvalidRecordsError, match=f"but 1 rows have more or fewer.*{row}'"):
        load_log(spark, log, LoadConfig(str(tmp_path / "lake"), *ids))


def test_structs_and_maps_have_their_own_keys(spark: SparkSession, tmp_path: Path) -> None:
    at = datetime(2026, 10, 1, 6, 0, 0, 123456, tzinfo=timezone.utc)
    struct = {"n": 1, "f": 1.0, "d": Decimal("1.10"), "at": at, "none": None}
    struct_type = pa.struct(
        [
            ("n", pa.int64()),
            ("f", pa.float64()),
            ("d", pa.decimal128(10, 2)),
            ("at", pa.timestamp("us", "UTC")),
            ("none", pa.string()),
        ]
    )
    kinds: dict[str, tuple[pa.DataType, Any, str]] = {
        "struct": (
            struct_type,
            struct,
            '{"n":1,"f":1.0,"d":1.10,"at":"2026-10-01T06:00:00.123456Z","none":null}',
        ),
        "map": (pa.map_(pa.string(), pa.int64()), [("b", 1), ("a", None)], '{"b":1,"a":null}'),
        "text": (pa.string(), ' {"a": 1.0}', ' {"a": 1.0}'),
    }
    for kind, (data_type, value, expected) in kinds.items():
        source = tmp_path / f"{kind}.parquet"
        columns = {"identifier": ["a"], "operation": ["upsert"], "status": ["succeeded"]}
        table = pa.table(columns).append_column("record_payload", pa.array([value], data_type))
        pq.write_table(table, source)
        assert payloads(spark, tmp_path / kind, source, "parquet") == {"a": expected}


def test_parquet_files_with_other_columns_lose_none(spark: SparkSession, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    sent = {"operation": ["upsert"], "status": ["succeeded"]}
    pq.write_table(pa.table({"identifier": ["a"], **sent, "n": [1]}), logs / "1.parquet")
    pq.write_table(pa.table({"identifier": ["b"], **sent, "m": [2]}), logs / "2.parquet")
    expected = {"a": {"n": 1, "m": None}, "b": {"n": None, "m": 2}}
    found = payloads(spark, tmp_path / "lake", logs, "parquet")
    assert {key: json.loads(str(text)) for key, text in found.items()} == expected


def test_csv_files_with_another_order_are_not_mixed_up(spark: SparkSession, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "1.csv").write_text("identifier,operation,status\na,upsert,succeeded\n", "utf-8")
    (logs / "2.csv").write_text("identifier,status,operation\nb,succeeded,upsert\n", "utf-8")
    with pytest.raises(WriteError, match="CSV header does not conform"):
        payloads(spark, tmp_path / "lake", logs, "csv")
