"""Pages that are closed while a just started Spark plans their queries: it answers all later ones.

A cancelled query interrupts the thread that plans it. If that thread reads the catalog, Derby
closes its connection, and later queries can wait for ever.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen
from uuid import UUID

import pytest

from helpers import viewer_lake as lake
from helpers.project import PROJECT, free_port
from oracle.writing import LakeFile
from sync_logs_viewer.web.routes.errors import ROWS

RUNS, MESSAGES = 150, 20_000
STARTS = int(os.environ.get("SYNC_LOGS_STARTS") or 3)
SECONDS_OPEN = (0.2, 0.5, 1.0, 2.0, 3.0, 5.0)
SECONDS_TO_ANSWER = 120
SYNC = {"organization_id": "o", "sync_id": "s"}
PATTERN = '{"request": "<uuid>"} is not known'
RUN = {**SYNC, "sync_run_id": "run 000"}
PAGES = (
    *(
        "/",
        "/alerts",
        "/errors",
        f"/errors?{urlencode({'failure_pattern': PATTERN})}",
        "/failures",
        "/builds",
        f"/sync?{urlencode(SYNC)}",
        f"/audience?{urlencode(SYNC)}",
    ),
    *(f"/run?{urlencode(RUN)}", "/record?organization_id=o&identifier=id+7"),
)


def many_messages() -> list[LakeFile]:
    """Many runs, and one whose records were all rejected for different reasons."""
    files: list[LakeFile] = []
    for number in range(RUNS):
        refused = [
            lake.record(f"id {one}", "rejected", PATTERN.replace("<uuid>", str(UUID(int=one))))
            for one in range(MESSAGES if number == 0 else 1)
        ]
        at = lake.START + timedelta(hours=number)
        rows = [row | {"batch_started_at": at, "batch_ended_at": at} for row in refused]
        files.append(lake.batch(f"o/s/run {number:03}", 1, rows))
    return files


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Of a warehouse with a catalog on disk."""
    folder = tmp_path_factory.mktemp("closed")
    lake.write_lake(folder / "lake", many_messages())
    found = {
        **{name: value for name, value in os.environ.items() if name != "SPARK_REMOTE"},
        **{"SYNC_LOGS_HOME": str(folder / "home"), "SYNC_LOGS_LAKE_PATH": str(folder / "lake")},
        **{"SYNC_LOGS_CATALOG": "hive", "DBT_PROFILES_DIR": str(PROJECT / "profiles")},
        **{"SYNC_LOGS_CONNECT_PORT": "0", "SYNC_LOGS_THRIFT_PORT": "0"},
    }
    build = [str(Path(sys.executable).with_name("dbt")), "--quiet", "build"]
    paths = ["--target-path", str(folder / "target"), "--log-path", str(folder / "logs")]
    subprocess.run([*build, *paths], cwd=PROJECT, env=found, check=True)
    return found


@contextmanager
def serving(environment: dict[str, str], port: int) -> Iterator[None]:
    """A just started `make serve` with its pages."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scripts.serve"],
        cwd=PROJECT,
        env={**environment, "SYNC_LOGS_VIEWER_PORT": str(port)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert any("  Pages " in line for line in iter(process.stdout.readline, ""))
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def open_and_close(port: int, seconds: float) -> None:
    """Request all pages at once, and close the connections."""
    opened = []
    for page in PAGES:
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(f"GET {page} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        opened.append(connection)
    time.sleep(seconds)
    for connection in opened:
        connection.close()


def test_closed_pages_leave_the_catalog_alone(environment: dict[str, str]) -> None:
    log = Path(environment["SYNC_LOGS_HOME"]) / "logs" / "server.log"
    for _ in range(STARTS):
        port = free_port()
        with serving(environment, port):
            for seconds in SECONDS_OPEN:
                open_and_close(port, seconds)
            for page in PAGES:
                with urlopen(f"http://127.0.0.1:{port}{page}", timeout=SECONDS_TO_ANSWER) as answer:
                    text = answer.read().decode()
                # so many different messages do not make a page long
                assert len(text) < 500_000, page
                if page == "/errors":
                    # one pattern, with so many reasons
                    assert text.count("&lt;uuid&gt;") == 1
                    assert f">{MESSAGES:,}<" in text
                if page.startswith("/errors?"):
                    assert f"the first {ROWS} of {MESSAGES:,} reasons" in text
        said = log.read_text(errors="replace")
        for sign in ("unknown interrupt", "ClosedByInterrupt"):
            assert sign not in said
