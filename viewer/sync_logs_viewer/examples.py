"""Examples of the fields of payloads, read when someone asks: no table keeps them.

What a purge or a prune has removed is therefore in no example.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sync_logs_viewer.masks import SHOWS_ALL, Mask
from sync_logs_viewer.questions import Query, Run, Sync, catalog

# characters of an example
LONGEST = 100


def last_run(sync: Sync, fields: Iterable[Mapping[str, Any]]) -> Run | None:
    """The last run of a sync that has payloads, from rows of `payload_fields`; None without one."""
    for one in fields:
        if one["is_in_last_run"]:
            return Run(sync.organization_id, sync.sync_id, one["last_sync_run_id"])
    return None


def question(run: Run, mask: Mask) -> Query:
    """The query for examples from a run."""
    # a mask needs whole values, or it could miss an identifier that is cut
    return catalog.payload_examples(run, LONGEST + 1 if mask == SHOWS_ALL else None)


def with_examples(
    fields: Iterable[Mapping[str, Any]], found: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The rows of `payload_fields`, each with an example, shortened; None if none was found."""
    examples = {one["field_name"]: _short(one["example"]) for one in found}
    return [{**one, "example": examples.get(one["field_name"])} for one in fields]


def _short(example: str) -> str:
    return example if len(example) <= LONGEST else f"{example[:LONGEST]}…"
