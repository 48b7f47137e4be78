"""The pages on a warm server: seconds that a browser waits, and memory of the viewer."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from dbt_sync_logs.command_line import NAME
from dbt_sync_logs.runner import PROJECT
from scripts.bench.builds import BuildFailedError
from scripts.bench.questions import seconds_of_one
from scripts.bench.report import Figure

COMMAND = str(Path(sys.executable).with_name(NAME))
ADDRESS = re.compile(r"http://[\d.]+:\d+")
# time for the viewer to query answers before a page is opened
SECONDS_TO_WARM = 180
REQUESTS = 500
EXAMPLES = {"examples": "true"}


@dataclass(frozen=True)
class Viewer:
    """A running viewer: its address, and its process, for the memory."""

    address: str
    process: int

    def open(self, page: str, **parameters: str) -> str:
        """Return the text of a page."""
        with urlopen(f"{self.address}{page}?{urlencode(parameters)}") as answer:
            return str(answer.read().decode())

    def megabytes(self) -> float:
        """The memory of the process. Needs Linux."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


@contextmanager
def viewer(environment: Mapping[str, str], server: str) -> Iterator[Viewer]:
    """The viewer on a Spark Connect server at that URL. Raises `BuildFailedError`."""
    process = subprocess.Popen(
        [COMMAND, "serve", "--target", "connect", "--port", "0"],
        cwd=PROJECT,
        env={**environment, "SYNC_LOGS_TARGET": "connect", "SPARK_REMOTE": server},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = (ADDRESS.search(line) for line in iter(process.stdout.readline, ""))
        address = next(filter(None, found), None)
        if address is None:
            raise BuildFailedError("`sync-logs serve` did not start.")
        yield Viewer(address.group(), process.pid)
    finally:
        process.terminate()
        process.wait()


def measure(seen: Viewer) -> Iterator[Figure]:
    """Open each kind of page, for syncs and identifiers that were not requested before."""
    _wait_until_warm(seen)
    syncs = json.loads(seen.open("/index.json"))["syncs"]
    for page, target in (("/sync", 1), ("/audience", 1), ("/run", 2), ("/periods", 1)):
        # the viewer opens the first of them when it starts
        found = [_seconds(seen, page, _parameters(page, sync)) for sync in syncs[1:]]
        yield Figure(f"{page}, warm, s", median(found), target, _listed(found))
    found = [_seconds(seen, "/sync", {**_parameters("/sync", sync), **EXAMPLES}) for sync in syncs]
    yield Figure("/sync with examples of values, warm, s", median(found), 2, _listed(found))
    found = [_seconds(seen, "/record", record) for record in _some_records(seen, syncs)]
    yield Figure("/record, warm, s", median(found), 2, _listed(found))
    for page in ("/", "/alerts", "/errors", "/failures", "/builds"):
        yield Figure(f"{page}, requested before, s", _seconds(seen, page, {}), 0.1)
    again = [_seconds(seen, "/sync", _parameters("/sync", sync)) for sync in syncs]
    yield Figure("/sync, requested before, s", median(again), 0.1, _listed(again))
    yield _memory(seen, syncs)


def _some_records(seen: Viewer, syncs: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """One rejected record of each sync."""
    records = []
    for sync in syncs:
        page = json.loads(seen.open("/run.json", **_parameters("/run", sync), status="rejected"))
        identifier = page["records"][0]["identifier"]
        records.append({"organization_id": sync["organization_id"], "identifier": identifier})
    return records


def _wait_until_warm(seen: Viewer) -> None:
    until = time.monotonic() + SECONDS_TO_WARM
    while _seconds(seen, "/", {}) > 0.1 and time.monotonic() < until:
        time.sleep(1)
    # the viewer opens further pages after the first one
    time.sleep(20)


def _parameters(page: str, sync: Mapping[str, Any]) -> dict[str, str]:
    named = ["organization_id", "sync_id"]
    given = {name: str(sync[name]) for name in named}
    return given | ({"sync_run_id": str(sync["last_sync_run_id"])} if page == "/run" else {})


def _memory(seen: Viewer, syncs: Sequence[Mapping[str, Any]]) -> Figure:
    """How much the memory grows while the same pages are opened repeatedly."""
    for sync in syncs:
        seen.open("/run", **_parameters("/run", sync))
    before = seen.megabytes()
    for number in range(REQUESTS):
        page = ("/sync", "/run", "/audience")[number % 3]
        seen.open(page, **_parameters(page, syncs[number % len(syncs)]))
    after = seen.megabytes()
    return Figure(
        f"memory of the viewer after {REQUESTS} more pages ÷ before",
        after / before,
        1.1,
        f"{after:.0f} MiB ÷ {before:.0f} MiB",
    )


def _seconds(seen: Viewer, page: str, parameters: Mapping[str, str]) -> float:
    return seconds_of_one(lambda: seen.open(page, **parameters))


def _listed(seconds: Sequence[float]) -> str:
    return ", ".join(f"{one:.2f}" for one in seconds)
