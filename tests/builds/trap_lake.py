"""A small lake on which the usual queries on reverse ETL logs go wrong, with a sync per trap."""

import json
from pathlib import Path

from oracle import write_file
from oracle.building import at, row
from oracle.lake import BatchFile, LoggedRow
from oracle.writing import ParquetFile, TextFile, parquet

Row = tuple[str | None, str, str]


def write_trap_lake(lake: Path) -> None:
    """Write the lake of the first build; each run starts `minute` minutes into the day."""
    run = RunWriter(lake)
    ok, refused, aborted = "succeeded", "rejected", "aborted"

    run("people", "9", 0, ("ann", "upsert", ok), ("bob", "upsert", ok), model="People")
    run("people", "10", 60, ("bob", "delete", ok), ("cy", "upsert", refused), model="People")
    run("people", "11", 120, ("ann", "upsert", refused), model="People (new)")
    run("people_too", "1", 0, ("ann", "upsert", ok), model="People")
    run("people_too", "2", 180, ("ann", "delete", ok), model="People")
    run("people", "1", 0, ("zoe", "upsert", ok), organization="p", model="People")

    run("ties", "2", 0, ("x", "upsert", ok))
    run("ties", "10", 0, ("x", "delete", ok))
    run("late", "1", 0, ("dan", "delete", ok))
    run("resync", "1", 0, ("eve", "upsert", ok))
    run("resync", "2", 60, ("eve", "upsert", ok))
    run("stopped", "1", 0, ("fay", "upsert", ok), ("gus", "upsert", aborted))
    run(
        *("dirty", "1", 0, ("hal", "upsert", ok), ("hal", "upsert", "DUPLICATE")),
        *((None, "upsert", "NULL"), ("ivy", "upsert", refused)),
        reported="succeeded",
    )
    run("texts", "1", 0, ("NULL", "upsert", ok), (None, "upsert", "NULL"))
    run("retried", "1", 0, ("kim", "upsert", refused), ("kim", "upsert", ok))
    run("healed", "1", 0, ("lee", "upsert", refused))
    run("healed", "2", 60, ("lee", "upsert", ok))
    for number in (1, 2, 3):
        run("stubborn", str(number), 60 * number, ("mia", "upsert", refused))
    run("quiet", "1", 0, ("ned", "upsert", ok))
    run("quiet", "2", 60)
    run("fields", "1", 0, ("ola", "upsert", ok), payload={"a": None, "b": 1})
    run("fields", "2", 60, ("ola", "upsert", ok), payload={"a": "x", "b": 1})
    run("fields", "3", 120, ("ola", "upsert", aborted), payload={"a": "y", "b": 1})
    run("fields", "4", 180, ("ola", "upsert", ok), payload={"a": "x", "b": 2})
    # two syncs with one id, whose runs are in opposite order
    for organization, first, second in (("o", "1", "4"), ("p", "4", "1")):
        for name, minute in ((first, 0), (second, 60)):
            sent_now: dict[str, object] = {"a": f"{organization}{name}"}
            once = ("ola", "upsert", ok)
            run("shared", name, minute, once, payload=sent_now, organization=organization)

    run("keeping", "1", 0, ("pam", "upsert", ok))
    run("keeping", "2", 60, ("pam", "delete", aborted))
    run("runless", "1", 0, ("quin", "upsert", ok))
    run("east", "1", 0, ("rae", "upsert", ok), model="Both")
    run("west", "1", 0, ("rae", "upsert", refused), model="Both")
    run("partial", "1", 0, ("sue", "upsert", ok), ("tom", "upsert", ok))
    run("partial", "2", 60, ("sue", "upsert", aborted))
    run("overtaken", "2", 120, ("uma", "upsert", ok))
    run("named", "1", 0, ("wes", "upsert", ok), sent_to="ads")
    run("named", "2", 60, ("xan", "upsert", ok), sent_to="crm")

    sent: dict[str, object] = {"email": "one@x", "age": 5}
    limit = "Rate limit exceeded"
    run("busy", "1", 0, ("amy", "upsert", refused), organization="q", payload=sent, message=limit)
    run("busy", "2", 60, ("ben", "upsert", refused), organization="q", payload=sent)
    run("busy", "3", 120, ("ben", "upsert", refused), organization="q", payload=sent)
    # cal failed for good, was repaired, and now waits; its twins still fail for good
    for organization, sync in (("q", "calm"), ("q", "calm_too"), ("r", "calm")):
        for name in ("1", "2"):
            run(sync, name, 60 * int(name), ("cal", "upsert", refused), organization=organization)
    run("calm", "3", 180, ("cal", "upsert", ok), organization="q")
    run("calm", "4", 240, ("cal", "upsert", refused), organization="q", message=limit)
    _write_gaps(run)


def _write_gaps(run: "RunWriter") -> None:
    """Records that a model and the destination do not have alike (`gap_questions.py`)."""
    ok, refused, aborted = "succeeded", "rejected", "aborted"
    first: dict[str, object] = {"mail": "one@x", "age": 5.0, "born": "2000-01-01T00:00:00Z"}
    second = first | {"mail": "two@x"}
    names = ("amy", "ben", "cat", "dot", "eve", "fay", "gus", "pat", "rex", "sam")
    run("gaps", "1", 0, *((name, "upsert", ok) for name in names), payload=first)
    run(
        *("gaps", "2", 60, ("ben", "upsert", refused), ("cat", "upsert", aborted)),
        *(("hal", "upsert", refused), ("jon", "upsert", aborted), ("pat", "upsert", refused)),
        payload=second,
    )
    # a record that was in before the log began
    run(
        *("gaps", "3", 120, ("dot", "delete", ok), ("eve", "delete", refused)),
        *(("fay", "delete", aborted), ("una", "delete", refused), ("vic", "delete", refused)),
        ("zed", "upsert", refused),
    )
    run("retold", "1", 0, ("ida", "upsert", refused), ("kit", "upsert", ok), ("lou", "upsert", ok))
    run("retold", "2", 60, ("ida", "upsert", aborted), ("kit", "upsert", refused))
    run("retold", "3", 120, ("kit", "delete", aborted), ("lou", "delete", refused))
    run("events", "1", 0, ("e1", "append", ok), ("e2", "append", refused), ("e0", "append", ok))
    limit = "Rate limit exceeded"
    run("events", "2", 60, ("e4", "append", refused), message=limit)
    run("mirrored", "1", 0, ("kim", "upsert", ok), ("lea", "upsert", ok))
    run("mirrored", "2", 60, ("lea", "mirror", ok))
    run("mirrored", "1", 0, ("kim", "upsert", ok), organization="p")


def write_late_part(lake: Path) -> None:
    """Write what only the second build sees: an older run, and a name."""
    RunWriter(lake)("overtaken", "1", 60, ("vic", "upsert", "succeeded"))
    for kind in ("destinations", "source_objects"):
        name: dict[str, object] = {"id": "ads", "type": kind, "name": "Ads"}
        write_file(lake, ParquetFile(f"metadata/o/{kind}.parquet", tuple(name), (name,)))


class RunWriter:
    """Writes runs of one batch, each with its metadata."""

    def __init__(self, lake: Path) -> None:
        self._lake = lake

    def __call__(
        self,
        sync: str,
        run: str,
        minute: int,
        *rows: Row,
        organization: str = "o",
        model: str | None = None,
        reported: str | None = None,
        payload: dict[str, object] | None = None,
        sent_to: str | None = None,
        message: str = "no",
    ) -> None:
        """Write one run; its source object has the id of its destination."""
        folder = f"sync_tracking_datasets/{organization}/{sync}/{run}"
        metadata = {
            "sync_run_started_at": at(minute).isoformat(),
            "sync_run_finished_at": at(minute + 10).isoformat(),
            "sync_run_status": reported,
            "model_name": model,
            "destination_id": sent_to,
            "source_object_id": sent_to,
        }
        write_file(self._lake, TextFile(f"{folder}/metadata.json", json.dumps(metadata)))
        if rows:
            logged = [_logged(one, minute, payload, message) for one in rows]
            write_file(self._lake, parquet(BatchFile(f"{folder}/b.1.parquet", tuple(logged))))


def _logged(one: Row, minute: int, payload: dict[str, object] | None, refusal: str) -> LoggedRow:
    message = refusal if one[2] == "rejected" else None
    text = None if payload is None else json.dumps(payload)
    return row(*one, message=message, payload=text, started=minute, ended=minute + 5)
