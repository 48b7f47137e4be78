"""Random files of a lake: batch files, run metadata and fact files."""

import json
from datetime import datetime
from random import Random

from .metadata import camel_case
from .random_words import (
    IDENTIFIERS,
    MESSAGES,
    SPLIT_FIELDS,
    Flavour,
    in_other_words,
    moment,
    operation_word,
    payload,
    status_word,
    time_text,
)
from .writing import LakeFile, ParquetFile, TextFile

RECORD_COLUMNS = (
    *("identifier", "record_payload", "operation", "status", "status_message"),
    *("batch_started_at", "batch_ended_at"),
)
# The three schema generations: with an internal id, without ids, with the ids of the path.
GENERATIONS = (
    ("census_sync_tracking_internal_id",),
    (),
    ("sync_configuration_id", "sync_run_id"),
)
BATCH_NAMES = (
    *("records_updated.1", "records_updated.2", "records_updated.10", "records_failed.1"),
    *("records", "records.007", "b.c.3", "a.x", "UPPER.2", "records updated.4", "records."),
)
BROKEN_METADATA = ("", "   ", "{", '{"sync_run_status": "failed"', "[]", '"text"', "null", "12")
RUN_STATUS_WORDS = (
    *("succeeded", "Success", " completed ", "completed with errors", "FAILED", "error"),
    *("aborted", "cancelled", "canceled", "running", "queued", "", None),
)
FACT_COLUMNS = {
    "source_objects": (
        *("id", "type", "name", "model_id", "business_object_id", "filter_segment_id"),
        "cohort_id",
    ),
    "destinations": ("id", "type", "name"),
    "destination_objects": ("id", "type", "name"),
}


def record_files(
    rng: Random, folder: str, flavour: Flavour, start: int, has_unreadable_files: bool
) -> list[LakeFile]:
    """Draw the batch files of a run; sometimes a run has only metadata."""
    if rng.random() < 0.08:
        return []
    aborts = rng.random() < 0.25
    oddness = rng.choice((0.0, 0.0, 0.1, 0.4))
    files: list[LakeFile] = []
    for name in rng.sample(BATCH_NAMES, rng.randint(1, 3)):
        path = f"{folder}/{name}.parquet"
        if has_unreadable_files and rng.random() < 0.1:
            files.append(TextFile(path, "PAR1 is all there is"))
        else:
            files.append(_batch_file(rng, path, flavour, start, oddness, aborts))
    return files


def metadata_file(rng: Random, folder: str, start: int) -> TextFile:
    """Draw the `metadata.json` of a run, with any spelling, sometimes broken."""
    path = f"{folder}/metadata.json"
    if rng.random() < 0.15:
        return TextFile(path, rng.choice(BROKEN_METADATA))
    values = {key: value for key, value in _run_facts(rng, start).items() if rng.random() < 0.8}
    status = values.get("sync_run_status")
    if isinstance(status, str):
        values["sync_run_status"] = in_other_words(status, folder)
    spelling = rng.choice(("snake", "snake", "camel", "mixed", "both"))
    content: dict[str, object] = {}
    for key, value in values.items():
        is_camel = spelling == "camel" or (spelling == "mixed" and rng.random() < 0.5)
        content[camel_case(key) if is_camel else key] = value
        # Both spellings have different values; snake_case must win.
        if spelling == "both" and value is not None and rng.random() < 0.3:
            content[camel_case(key)] = "other"
    return TextFile(path, json.dumps(content, ensure_ascii=rng.random() < 0.5))


def fact_files(rng: Random, organisation: str) -> list[LakeFile]:
    """Draw the fact files of an organisation: up to three per table, with repeated ids."""
    files: list[LakeFile] = []
    for table, columns in FACT_COLUMNS.items():
        for suffix in rng.sample(("", "_2", ".part 3"), rng.randint(0, 3)):
            names = [c for c in columns if c == "id" or rng.random() < 0.9]
            rng.shuffle(names)
            rows = tuple(_fact_row(rng, columns) for _ in range(rng.randint(0, 5)))
            path = f"metadata/{organisation}/{table}{suffix}.parquet"
            files.append(ParquetFile(path, (*names, "refreshed_by"), rows))
    return files


def _batch_file(
    rng: Random, path: str, flavour: Flavour, start: int, oddness: float, aborts: bool
) -> ParquetFile:
    columns = [*RECORD_COLUMNS, *rng.choice(GENERATIONS)]
    if rng.random() < 0.1:
        columns.remove(rng.choice(columns))
    if rng.random() < 0.2:
        columns += ["unknown_extra", "Batch Number"]
    if rng.random() < 0.5:
        rng.shuffle(columns)
    started_at = None if rng.random() < 0.1 else moment(rng, start, start + 40)
    ended_at = None if rng.random() < 0.1 else moment(rng, start + 10, start + 70)
    rows = tuple(
        _record_row(rng, flavour, started_at, ended_at, oddness, aborts)
        for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 12)))
    )
    return ParquetFile(path, tuple(columns), rows, has_zoned_times=rng.random() < 0.5)


def _record_row(
    rng: Random,
    flavour: Flavour,
    started_at: datetime | None,
    ended_at: datetime | None,
    oddness: float,
    aborts: bool,
) -> dict[str, object]:
    # Most rows share a few identifiers; some have any identifier of the pool.
    pool = IDENTIFIERS if rng.random() < 0.25 else IDENTIFIERS[:6]
    if rng.random() < 0.1 and ended_at is not None:
        ended_at = rng.choice((None, moment(rng, 0, 360)))
    return {
        "identifier": None if rng.random() < 0.06 else rng.choice(pool),
        "record_payload": payload(rng),
        "operation": operation_word(rng, flavour, oddness),
        "status": status_word(rng, oddness, aborts),
        "status_message": rng.choice(MESSAGES),
        "batch_started_at": started_at,
        "batch_ended_at": ended_at,
        "census_sync_tracking_internal_id": str(rng.randint(1, 9)),
        # These differ from the ids of the path, which win: a copied file must not move its records.
        "sync_configuration_id": "elsewhere",
        "sync_run_id": "elsewhere",
        "unknown_extra": "ignored",
        "Batch Number": "ignored",
    }


def _run_facts(rng: Random, start: int) -> dict[str, object]:
    is_finished = rng.random() < 0.3
    has_status = rng.random() < 0.4
    started_at = moment(rng, max(0, start - 60), start + 60)
    return {
        "organization_id": "elsewhere",
        "workspace_id": rng.choice(("5", 5)),
        "sync_configuration_id": "elsewhere",
        "sync_run_id": "elsewhere",
        "source_id": rng.choice(("s1", 1, None)),
        "source_type": "warehouse",
        "source_object_id": rng.choice(("so1", 10, "2")),
        "destination_id": rng.choice(("d1", 3, None)),
        "destination_type": rng.choice(("salesforce", "sheets", None)),
        "destination_object_id": rng.choice(("do1", 44)),
        "sync_run_started_at": rng.choice(
            (time_text(rng, started_at), time_text(rng, started_at), None, "soon")
        ),
        "sync_run_finished_at": (
            time_text(rng, moment(rng, start, start + 90)) if is_finished else None
        ),
        "sync_run_status": rng.choice(RUN_STATUS_WORDS) if has_status else None,
        "sync_run_error": rng.choice((None, "gave up: it's over", "")),
        "primary_key": rng.choice(("email", "id", None)),
        "model_id": rng.choice(("m1", 7, None)),
        "model_name": rng.choice(("Leads", "Leads (new)", "Gr\u00fc\u00dfe", None)),
        "split_group_field": rng.choice((*SPLIT_FIELDS, None)),
        "record_payload_schema": {"tier": "string", "amount": "number"},
    }


def _fact_row(rng: Random, columns: tuple[str, ...]) -> dict[str, object]:
    values: dict[str, object] = {
        column: rng.choice((None, "x", "it's", "na\u00efve \U0001f600")) for column in columns
    }
    return {**values, "id": rng.choice((None, "1", "2", "3", "01")), "refreshed_by": "vendor"}
