"""Hostile texts in every text column, id and name, in types that every reader accepts."""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from oracle import write_file
from oracle.writing import LakeFile, ParquetFile, TextFile

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
MEBIBYTE = 2**20
VALUES = (
    *("", " ", "NULL", "null", "None", "\\N", " lead", "trail ", "\u00a0x\u3000", "\t", "\n"),
    *(
        "o'brien",
        'say "hi"',
        "`tick`",
        "back\\slash",
        "\\'",
        "\\",
        "two\nlines",
        "cr\r\nlf",
        "a\tb",
    ),
    *("100%", "%s", "%(x)s", "{{ this }}", "{% raw %}", "{# x #}", "${x}", "--", "/* x */", ";"),
    *("\U0001f600", "e\u0301", "\u00e9", "\u202eabc", "\ufeffx", "nul\x00nul", "\x7f\x1b[31m"),
    # one number, as exports of different types spell it
    *("39640798", "3.9640798e+07", "3.9640798E7", "39640798.0"),
    *("007", "7", "7.0", "1e5", "NaN", "true", "2026-01-01", "=1+1", "a,b", "[1]", '{"a":1}'),
)
PAYLOADS = (
    *(None, "", "null", "NULL", "{}", "[]", "7", '"text"', "not json", "{", '{"a": }', "{}{}"),
    *('{"*": "star", "": "empty"}', '{"*": 7}', '{"a": {"b": [1, {"c": null}]}, "*": [1, "x"]}'),
    '{"*": "' + "x" * MEBIBYTE + '"}',
    "x" * MEBIBYTE,
    "[" * 5000 + "]" * 5000,
    '{"*": ' + "[" * 3000 + "]" * 3000 + "}",
    # the first of two counts, and a key in another case is another key
    '{"*": {"a": 1, "a": 2}, "A B": "other", "a b": 1, "*": 3, "a b": 2}',
    '{"a b": 1, "A b": null, "a b": 3, "*": "same", "*": 4}',
    '{"*": "\u00e9\U0001f600\\n\\u0000\\"\'"}',
)
FOLDERS = (
    *("o'brien", 'say "hi"', "`tick`", "back\\slash", "100%", "50%25", "x%2Fy", "a+b", "a b", "=1"),
    *(
        "a=b",
        "\u00fcn\u00ef",
        "e\u0301",
        "\U0001f600",
        "{x}",
        "[1]",
        "*",
        "?",
        "#x",
        "a;b&c",
        "${x}",
    ),
    *("NULL", "null", "-1", "~", "a.b", "sync_tracking_datasets", "metadata", "metadata.json.x"),
    *("metadata.json", "x.parquet", "two\nlines", " lead", "trail ", "{{ this }}", "12:30"),
)
BATCHES = ("b.1", "a.b.c.2", "it's.3", "100%.4", "a+b=c.5", "\u00fc .6", "[x].7", "no number", "9")
SPLIT_FIELDS = ("*", "", "it's", "a.b", "a b", "$", "x']['y", "\\", "\u00e9", "?", "[0]")
RECORD_COLUMNS = (
    *("identifier", "record_payload", "operation", "status", "status_message"),
    *("batch_started_at", "batch_ended_at"),
)
# What a `metadata.json` can contain instead of an object of known keys.
UNREADABLE_METADATA = {
    "blank": " ",
    "cut": '{"model_name": "cut',
    "list": '[{"model_name": "in a list"}]',
    "text": '"text"',
    "number": "12",
    "null": "null",
    "words": "model_name: yaml",
    "marked": '\ufeff{"model_name": "after a byte order mark"}',
}
READABLE_METADATA = {
    "unknown keys": '{"model_name": "M", "colour": "red", "": 1, "nested": {"model_name": "N"}}',
    "camel": '{"modelName": "M", "syncRunStartedAt": "2026-01-01T00:00:00Z"}',
    "no zone": '{"sync_run_started_at": "2026-01-01 00:00:00", "sync_run_finished_at": "later"}',
    "empty object": "{}",
    "numbers": '{"model_id": 7, "sync_run_started_at": 1767225600, "sync_run_error": 1.5}',
    "twice": '{"model_id": 1, "MODEL_ID": 2, "model_id": 3, "modelName": "A", "ModelName": "B"}',
    "nulls": '{"model_id": null, "sync_run_started_at": null}',
    "no texts": '{"sync_run_finished_at": "", "sync_run_status": "", "primary_key": ""}',
}


@dataclass
class Texts:
    """The files in two steps: the first files, then one good run of each sync."""

    files: list[LakeFile] = field(default_factory=list)
    growth: list[LakeFile] = field(default_factory=list)

    def write(self, root: Path, files: list[LakeFile]) -> None:
        """Write some of the files below the root of a lake."""
        for file in files:
            write_file(root, file)


ORGANISATIONS = (FOLDERS[0] + FOLDERS[1] + " 100% =\u00fc", FOLDERS[3], "sync_tracking_datasets")


def hostile_texts() -> Texts:
    """Every value in every column, folder name and file name, the same each time."""
    texts = Texts()
    _add_values(texts, ORGANISATIONS[0])
    _add_folders(texts, ORGANISATIONS[1])
    _add_metadata(texts, ORGANISATIONS[2])
    return texts


def _add_values(texts: Texts, organisation: str) -> None:
    """One run per split field; each value is an identifier, message, operation and status."""
    folder = f"sync_tracking_datasets/{organisation}/values"
    for number, split_field in enumerate(SPLIT_FIELDS):
        run = f"{folder}/{number}"
        texts.files.append(_batch(f"{run}/b.1.parquet", number, _hostile_rows(number)))
        metadata = {"split_group_field": split_field, **_hostile_facts(number)}
        texts.files.append(TextFile(f"{run}/metadata.json", json.dumps(metadata)))
    texts.growth.append(_batch(f"{folder}/99/b.1.parquet", 99, _good_rows(VALUES[::2])))
    for name in ("source_objects", "destinations", "destination_objects"):
        columns = ("refreshed_by", "name", "id", "type", "cohort_id")
        rows: tuple[dict[str, object], ...] = tuple(
            {**dict.fromkeys(columns, value), "refreshed_by": "x"} for value in VALUES
        )
        texts.files.append(ParquetFile(f"metadata/{organisation}/{name}.parquet", columns, rows))
    # a late file without most columns
    late: tuple[dict[str, object], ...] = ({"id": "late"}, {"id": "7"})
    texts.growth.append(
        ParquetFile(f"metadata/{organisation}/destinations_late.parquet", ("id",), late)
    )


def _hostile_rows(number: int) -> tuple[dict[str, object], ...]:
    rows: list[dict[str, object]] = []
    for position, value in enumerate(VALUES):
        # only one run has the long payloads
        payload = PAYLOADS[(position + number) % len(PAYLOADS)]
        if number > 0 and payload is not None and len(payload) > MEBIBYTE // 2:
            payload = json.dumps({SPLIT_FIELDS[number]: value})
        plain = {"record_payload": payload, "operation": "upsert", "status": "succeeded"}
        rows.append({**plain, "identifier": value, "status_message": value})
        rows.append({**plain, "identifier": f"s{position}", "status": value})
        rows.append({**plain, "identifier": f"o{position}", "operation": value})
        rows.append(
            {**plain, "identifier": f"r{position}", "status": "rejected", "status_message": value}
        )
    rows.append({"operation": "upsert", "status": "succeeded"})
    return tuple(rows)


def _hostile_facts(number: int) -> dict[str, object]:
    keys = (
        *("source_id", "source_object_id", "destination_id", "destination_type"),
        *("destination_object_id", "primary_key", "model_id", "model_name"),
        *("sync_run_error", "sync_run_status"),
    )
    # one value of each kind; here JSON can only have text
    return {
        key: VALUES[(number * len(keys) + place) % len(VALUES)] for place, key in enumerate(keys)
    }


def _add_folders(texts: Texts, organisation: str) -> None:
    """Every folder name as a sync and as a run, with every batch name and without times."""
    for number, name in enumerate(FOLDERS):
        batch = BATCHES[number % len(BATCHES)]
        sync = f"sync_tracking_datasets/{organisation}/{name}"
        run = FOLDERS[(number * 7 + 3) % len(FOLDERS)]
        rows = _good_rows((name, "x"))
        without_times = RECORD_COLUMNS[:-2]
        texts.files.append(ParquetFile(f"{sync}/{run}/{batch}.parquet", without_times, rows))
        texts.growth.append(_batch(f"{sync}/z next/{batch}.parquet", number, _good_rows((name,))))


def _add_metadata(texts: Texts, organisation: str) -> None:
    for name, text in (UNREADABLE_METADATA | READABLE_METADATA).items():
        run = f"sync_tracking_datasets/{organisation}/{name}/1"
        texts.files.append(TextFile(f"{run}/metadata.json", text))
        # a number that is spelled as a float and in no other way
        texts.files.append(_batch(f"{run}/b.1.parquet", 0, _good_rows(("a", "12.0"))))
    # a run with only metadata, and one whose metadata arrives later
    alone = f"sync_tracking_datasets/{organisation}/alone/1/metadata.json"
    texts.files.append(TextFile(alone, '{"sync_run_status": "failed"}'))
    late = f"sync_tracking_datasets/{organisation}/late/1"
    texts.files.append(_batch(f"{late}/b.1.parquet", 0, _good_rows(("a",))))
    texts.growth.append(TextFile(f"{late}/metadata.json", '{"model_name": "late"}'))


def _good_rows(identifiers: tuple[str, ...]) -> tuple[dict[str, object], ...]:
    return tuple(
        {"identifier": identifier, "operation": "upsert", "status": "succeeded"}
        for identifier in identifiers
    )


def _batch(path: str, number: int, rows: tuple[dict[str, object], ...]) -> ParquetFile:
    ended_at = START + timedelta(minutes=number)
    timed = tuple(row | {"batch_started_at": START, "batch_ended_at": ended_at} for row in rows)
    return ParquetFile(path, (*RECORD_COLUMNS[::-1], "unknown"), timed)
