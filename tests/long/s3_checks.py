"""A growing lake in a bucket, with faults between Spark and the S3 server.

It runs in its own process, because its Spark has jars and settings of its own. The phase `requests`
builds while the server throttles, cuts and refuses requests. After the phase `first`, a build is
killed. The phase `erase` deletes what it left behind, builds, prunes and collects.
"""

import os
import pickle
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from pyspark.sql import SparkSession

from helpers.growing_warehouse import times
from helpers.random_histories import many_histories
from helpers.retained_warehouse import (
    ROW_LEVEL,
    Pair,
    files_holding,
    leave_unfinished,
    purge_arguments,
    variables,
)
from long.faulty_proxy import FaultyProxy, running_proxy
from long.s3_server import BucketWarehouse, S3Server
from oracle import Step, apply_step
from oracle.building import sent
from oracle.retention import COLUMNS, Prune, Purge, Retained
from oracle.writing import ParquetFile, parquet

AS_OF = times(3)
OWN = "own"
PERSON = "someone@example.com"
# longer than any of these tests: the deletes are carried out when a test says so
LATE = 86_400.0
THROTTLED_EACH = 9
REFUSED = "int_changelog__built"


@dataclass
class InBucket:
    """A warehouse in a bucket, its expected content, and the proxy in front of the server."""

    folder: Path
    server: S3Server
    proxy: FaultyProxy
    pair: Pair = field(init=False)

    def __post_init__(self) -> None:
        built = BucketWarehouse(
            "in_bucket", self.folder / "lake", self.folder / "target", server=self.server
        )
        note = self.folder / "retained.pickle"
        retained = pickle.loads(note.read_bytes()) if note.exists() else Retained()
        assert isinstance(retained, Retained)
        self.pair = Pair(built, retained)

    def remember(self) -> None:
        """Keep what is expected for the next process."""
        (self.folder / "retained.pickle").write_bytes(pickle.dumps(self.pair.retained))

    def stored(self) -> Path:
        """The tables as the disk of the server has them."""
        return self.server.bucket / "warehouse"


def steps_of_lake() -> tuple[Step, ...]:
    """A random lake that grows, with a person of whom each step has a run."""
    histories = many_histories(range(300, 302), AS_OF, orderly=range(620, 621))
    return tuple(
        Step((*step.writes, run_of_person(number)), step.deletes, step.as_of)
        for number, step in enumerate(histories.steps)
    )


def run_of_person(number: int) -> ParquetFile:
    """A run that upserts the person and another record."""
    run, minute, others = str(number + 1), 10 + 100 * number, f"other {number}"
    return parquet(sent(run, minute, PERSON, others, payload='{"n": 1}', organization=OWN))


def first(here: InBucket) -> None:
    """Build once. No listing of Spark has one object; the audit finds it."""
    step = steps_of_lake()[0]
    run = run_of_person(0)
    hidden = replace(run, path=run.path.replace("b.1", ".b.0"))
    here.pair.build(replace(step, writes=(*step.writes, hidden)), "run")
    issues = here.pair.warehouse.rows("lake_file_issues")
    found = [row["relative_path"] for row in issues if row["issue"] == "hidden from queries"]
    assert found == [hidden.path]
    here.remember()


def requests(here: InBucket) -> None:
    """Build with throttled, cut and refused requests; all tables are right after each build."""
    steps, faults = steps_of_lake(), here.proxy.faults
    faults.throttled_each = THROTTLED_EACH
    here.pair.build(steps[0], "run")
    faults.throttled_each = 0
    assert faults.counts["throttled"] > 50, faults.counts

    # a file that cannot be fetched is not taken for a broken one
    fail(here, steps[1], rf"^GET lake/.*/{OWN}/s/2/b\.1\.parquet$")

    faults.cut_once = [
        r"^GET lake/.*\.parquet$",
        r"^GET warehouse/.*\.parquet$",
        r"^PUT warehouse/.*/int_records__landed/.*\.parquet$",
        r"^PUT warehouse/.*/int_runs__planned/load_id=.*\.parquet$",
    ]
    here.pair.build(Step((), (), steps[1].as_of), "run")
    assert faults.cut_once == []
    assert faults.counts["cut"] == 4, faults.counts

    fail(here, steps[2], rf"^PUT .*/{REFUSED}/.*\.parquet$")
    assert here.pair.warehouse.failed() == [REFUSED]
    here.pair.build(Step((), (), steps[2].as_of), "run")


def fail(here: InBucket, step: Step, refused: str) -> None:
    """Change the lake and build while the server refuses some requests: nothing is published."""
    built, faults = here.pair.warehouse, here.proxy.faults
    before = sorted(row["load_id"] for row in built.rows("sync_loads"))
    apply_step(built.lake, step)
    faults.refused = refused
    faults.counts["refused"] = 0
    assert not built.dbt("run", variables=variables(step.as_of))
    print(built.failures())
    faults.refused = None
    assert faults.counts["refused"] > 0
    here.pair.compare(COLUMNS)
    assert sorted(row["load_id"] for row in built.rows("sync_loads")) == before


def erase(here: InBucket) -> None:
    """Erase records after a killed build and while deletes fail or come late, build and prune."""
    steps = steps_of_lake()
    assert files_holding(here.stored(), PERSON) != []
    leave_unfinished(here.stored(), PERSON)
    here.pair.purge(Purge(OWN, PERSON))
    assert files_holding(here.stored(), PERSON) == []
    # the lake has it since before the killed build
    here.pair.build(Step((), (), steps[1].as_of), "run")
    assert files_holding(here.stored(), PERSON) == []

    check_refused_deletes(here, Purge(OWN, "other 0"))

    check_late_deletes(here, Purge(OWN, "other 1"))

    here.pair.build(steps[2], "run")
    here.pair.prune(Prune(steps[2].as_of, retention_days=0.0625))
    assert here.pair.retained.pruned
    here.pair.collect()
    assert unknown_loads(here) == []


def check_late_deletes(here: InBucket, purge: Purge) -> None:
    """While listings show deleted files, a purge fails and no table is wrong; then it succeeds."""
    built, faults = here.pair.warehouse, here.proxy.faults
    assert files_holding(here.stored(), purge.identifier) != []
    faults.delete_after_seconds = LATE
    assert not built.operation("purge_record", "{}", **purge_arguments(purge))
    assert "Unable to delete directory" in str(built.said)
    assert faults.counts["delayed"] > 0
    here.pair.retained = here.pair.retained.after_purge(purge)
    here.pair.compare(ROW_LEVEL)
    assert files_holding(here.stored(), purge.identifier) != []
    faults.delete_after_seconds = 0
    here.proxy.late_deletes.carry_out(all_of_them=True)
    assert built.operation("sync_logs_collect", "{}", keep_previous=False), built.failures()
    here.pair.compare(ROW_LEVEL)
    assert files_holding(here.stored(), purge.identifier) == []


def check_refused_deletes(here: InBucket, purge: Purge) -> None:
    """A purge whose files the server does not delete fails; a later collection deletes them."""
    assert files_holding(here.stored(), purge.identifier) != []
    here.proxy.faults.refused = "^DELETE (?!.*_temporary).*load_id="
    built = here.pair.warehouse
    assert not built.operation("purge_record", "{}", **purge_arguments(purge))
    assert "AccessDenied" in str(built.said)
    here.proxy.faults.refused = None
    assert files_holding(here.stored(), purge.identifier) != []
    here.pair.retained = here.pair.retained.after_purge(purge)
    here.pair.compare(ROW_LEVEL)
    assert built.operation("sync_logs_collect", "{}", keep_previous=False), built.failures()
    here.pair.compare(ROW_LEVEL)
    assert files_holding(here.stored(), purge.identifier) == []


def unknown_loads(here: InBucket) -> list[str]:
    """Folders of loads in the bucket that the catalog does not know."""
    session = SparkSession.builder.getOrCreate()
    state = f"{here.pair.warehouse.schema}_state"
    unknown = []
    for folder in sorted(here.stored().glob(f"{state}.db/*/load_id=*")):
        known = session.sql(f"show partitions {state}.{folder.parent.name}").collect()
        if folder.name not in {row["partition"] for row in known}:
            unknown.append(f"{folder.parent.name}/{folder.name}")
    return unknown


def main(phase: str, folder: Path, server_folder: Path, port: int) -> None:
    """Run one phase."""
    keys = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    server = S3Server(port, server_folder, *keys)
    with ExitStack() as stack:
        proxy = stack.enter_context(running_proxy(server))
        os.environ["AWS_ENDPOINT_URL_S3"] = f"http://127.0.0.1:{proxy.port}"
        here = InBucket(folder, server, proxy)
        {"requests": requests, "first": first, "erase": erase}[phase](here)
        print(phase, dict(proxy.faults.counts))
        SparkSession.builder.getOrCreate().stop()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
