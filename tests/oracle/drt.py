"""The files of drt, and the runs that they show (docs/sources.md).

A content has the lines of the history and of the dead letters, each as `value`, with the sync that
its file is named after as `sync_id`. A line that is cut is not read. A dead letter is as many
attempts as it counts; drt keeps the message of the last and the time of the first. Everything else
is as in docs/semantics.md.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .history import Attempt, Run
from .json_texts import parse_json, payload_fields
from .lake import LoggedRow, as_text
from .metadata import RunMetadata, read_time
from .rows import COUNTED_OP_TYPES
from .sources import Source
from .vocabulary import map_operation, map_status

HISTORY = "history"
DEAD_LETTERS = "dlq"
# drt does not log what it did with a record.
OPERATION, STATUS = "upsert", "failed"
MOST_ATTEMPTS = 100

# A line as it is in a file, and what it says, with the sync.
Row = Mapping[str, object]
Line = Mapping[str, object]
# Sync and run.
RunId = tuple[str, str]
# A dead letter and the number of the attempt.
AttemptKey = tuple[str, int]


@dataclass
class SeenFiles:
    """Everything that was seen in the files of a source."""

    history: dict[RunId, Line] = field(default_factory=dict)
    attempts: dict[RunId, dict[AttemptKey, LoggedRow]] = field(default_factory=dict)
    # The attempts that the files have now.
    present: set[tuple[RunId, AttemptKey]] = field(default_factory=set)


def source_of(name: str) -> Source:
    """Return what is known about a source of type drt."""
    return Source(
        name,
        "drt",
        payload_kind="sent_record",
        logs_invalid_records=False,
        logs_succeeded_records=False,
    )


def runs_after(
    organization_id: str, source_name: str, contents: Sequence[Mapping[str, Iterable[Row]]]
) -> list[Run]:
    """List the runs that builds have seen which found these contents, one after another."""
    seen = SeenFiles()
    for content in contents:
        seen.present = set()
        for line in read_lines(content.get(HISTORY, ())):
            seen.history[_run_id(line)] = line
        for letter in read_lines(content.get(DEAD_LETTERS, ())):
            run_id = _run_id(letter)
            row = read_attempt(letter)
            count = min(int(str(letter["attempts"])), MOST_ATTEMPTS)
            # Each row without a key would be a record.
            for number in range(1, (1 if row.identifier is None else count) + 1):
                key = str(letter["id"]), number
                seen.attempts.setdefault(run_id, {})[key] = row
                seen.present.add((run_id, key))
    return [
        _run(seen, run_id, organization_id, source_name)
        for run_id in {**seen.history, **seen.attempts}
    ]


def read_lines(rows: Iterable[Row]) -> Iterator[Line]:
    """Read the lines that are whole and have the id of a run."""
    for row in rows:
        try:
            line = parse_json(str(row["value"]))
        except ValueError:
            continue
        if line.get("sync_run_id") is not None:
            yield {**line, "sync_id": row["sync_id"]}


def read_attempt(letter: Line) -> LoggedRow:
    """Read a dead letter; the first field of its record is the key."""
    payload = json.dumps(letter["record"], ensure_ascii=False, separators=(",", ":"))
    fields = payload_fields(payload) or {}
    status, message = as_text(letter["http_status"]), as_text(letter["error_message"]) or None
    known = [text for text in (status and f"HTTP {status}", message) if text is not None]
    return LoggedRow(
        identifier=next(iter(fields.values()), None),
        record_payload=payload,
        operation=OPERATION,
        status=STATUS,
        status_message=": ".join(known) or None,
        batch_ended_at=read_time(as_text(letter["timestamp"])),
    )


def reported_counts(line: Line) -> dict[str, int]:
    """Return what the history counts, by column of `sync_runs`: all rows count as added."""
    succeeded, failed = int(str(line["records_synced"])), int(str(line["records_failed"]))
    counted = {"planned": succeeded + failed, "attempted": succeeded + failed}
    counted |= {"succeeded": succeeded, "failed": failed}
    return {
        f"num_{stage}_{suffix}": count if suffix == "add" else 0
        for stage, count in counted.items()
        for suffix in COUNTED_OP_TYPES
    }


def _run_id(line: Line) -> RunId:
    return str(line["sync_id"]), str(line["sync_run_id"])


def _run(seen: SeenFiles, run_id: RunId, organization_id: str, source_name: str) -> Run:
    line = seen.history.get(run_id)
    metadata = RunMetadata() if line is None else _metadata(line)
    rows = sorted(seen.attempts.get(run_id, {}).items())
    return Run(
        *(organization_id, *run_id, metadata),
        attempts=tuple(
            Attempt(
                row=row,
                file_name=DEAD_LETTERS,
                row_index=position,
                operation=map_operation(OPERATION),
                record_status=map_status(STATUS, row.identifier),
                is_deleted=(run_id, key) not in seen.present,
            )
            for position, (key, row) in enumerate(rows)
        ),
        rows_ended_at=metadata.sync_run_finished_at or metadata.sync_run_started_at,
        reported_counts={} if line is None else reported_counts(line),
        source=source_of(source_name),
        duplicate_row_count=0,
    )


def _metadata(line: Line) -> RunMetadata:
    errors = line["errors"]
    assert isinstance(errors, list)
    return RunMetadata(
        sync_run_started_at=read_time(as_text(line["started_at"])),
        sync_run_finished_at=read_time(as_text(line["completed_at"])),
        sync_run_status=as_text(line["status"]),
        sync_run_error="\n".join(errors) or None,
    )
