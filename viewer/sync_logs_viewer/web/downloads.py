"""The filtered records of a run as a file."""

import re
from collections.abc import Iterator

from starlette.responses import Response, StreamingResponse

from sync_logs_viewer.answers import ATTEMPTS, Answers
from sync_logs_viewer.exports import KINDS, WRITERS
from sync_logs_viewer.questions import RecordFilters, Run, catalog
from sync_logs_viewer.settings import download_rows

from .parameters import Parameters
from .routes.run import FILTERS, checked, matching

PARAMETERS = ("organization_id", "sync_id", "sync_run_id", *FILTERS)
COLUMNS = [
    *("organization_id", "sync_id", "sync_run_id", "identifier", "display_status"),
    *("failure_reason", "operation", "record_payload", "batch_started_at", "batch_ended_at"),
    *("record_status", "logged_status", "status_message", "batch_type", "batch_number"),
    *("file_name", "row_index", "record_id"),
]
UNSAFE = re.compile(r"[^A-Za-z0-9.=-]+")
LONGEST_NAME = 150

__all__ = ["KINDS", "PARAMETERS", "download"]


async def download(kind: str, parameters: Parameters, answers: Answers) -> Response:
    """A response that streams the file. Raises AddressError, WarehouseError."""
    run, filters = parameters.run(), parameters.filters()
    masked = answers.mask.is_hashed
    for attempt in range(ATTEMPTS):
        build, (runs, unfiltered, counts) = await answers.all(
            catalog.run(run),
            catalog.record_counts(run, RecordFilters(), masked),
            catalog.record_counts(run, filters, masked),
        )
        checked(run, runs[0] if runs else None, unfiltered)
        count, most = matching(counts, filters), download_rows()
        given = min(count, most)
        is_same, batches = await answers.stream(
            build, catalog.records(run, filters, None, most, masked, None)
        )
        # otherwise a build has committed in the meantime, and the counts do not match the rows
        if is_same or attempt + 1 == ATTEMPTS:
            break
    constants = run.values()

    def rows() -> Iterator[dict[str, object]]:
        for batch in batches:
            for row in batch:
                yield {**constants, **row}

    name = _file_name(run, filters, build.load_id, given, count)
    return StreamingResponse(
        WRITERS[kind](COLUMNS, rows()),
        media_type=KINDS[kind],
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{kind}"',
            "X-Sync-Logs-Rows": f"{given} of {count}",
            "X-Sync-Logs-Load": build.load_id,
        },
    )


def _file_name(run: Run, filters: RecordFilters, load_id: str, given: int, count: int) -> str:
    parts = [f"sync {run.sync_id}", f"run {run.sync_run_id}"]
    parts += [f"{name}={value}" for name, value in filters.values().items() if value is not None]
    if given < count:
        parts.append(f"first {given} of {count}")
    # only characters that every system allows in a file name
    safe = "_".join(UNSAFE.sub("-", part).strip("-.") for part in parts)
    return f"{safe[:LONGEST_NAME]}_load {load_id}".replace(" ", "-")
