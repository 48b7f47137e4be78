"""Shortcuts to define sources with fact tables, and the user's relation of names, in a test."""

from .building import at
from .building_sync_logs import sent, synced
from .names import AnyRow
from .rows import Row
from .source_history import SourceHistory, SourceStep, SourceTable, expected_tables

# The rows of each table.
Facts = dict[str, list[Row]]
OBJECTS = "source_objects"


def writeback(*steps: Facts) -> SourceHistory:
    """Create a source in which a run of sync `s` has the source object 1 and the destination 2."""
    logged = sent("1", "l", ended=1, source_object_id=1, destination_id=2, destination_object_id=3)
    return history("census_writeback", "wb", "o", *({"sync_log": [logged]} | one for one in steps))


def rudderstack() -> SourceHistory:
    """Create a source with one run of sync `s`, which has no ids."""
    return history("rudderstack", "rs", None, {"sync_log": [synced("1", started=1, finished=2)]})


def history(type_: str, name: str, organization: str | None, *steps: Facts) -> SourceHistory:
    """Create a source from the rows of its tables in each step."""
    contents = [
        SourceStep({table: SourceTable({}, tuple(rows)) for table, rows in one.items()}, at(99))
        for one in steps
    ]
    return SourceHistory(type_, name, organization, tuple(contents))


def names_of_run(
    ours: SourceHistory, step: int = 0, names: list[AnyRow] | None = None
) -> tuple[object, object]:
    """Return model name and destination of the only run."""
    (row,) = expected_tables([ours], step, names=names or [])["sync_runs"]
    return row["model_name"], row["destination"]


def given(kind: object, id_: object, name: str | None, type_: str | None = None) -> Row:
    """Create a row of the user's relation, for all sources."""
    return {"kind": kind, "id": id_, "name": name, "type": type_}
