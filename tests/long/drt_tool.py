"""drt itself: a project of two syncs that send rows of SQLite to a server that refuses some."""

import json
import os
import sqlite3
import subprocess
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from helpers.project import PROJECT
from helpers.servers import running

REQUIREMENTS = PROJECT / "requirements-drt.lock"
SYNC = """\
name: {name}
model: "{model}"
destination:
  type: rest_api
  url: {url}/{path}
  retry: {{max_attempts: 1}}
  rate_limit: {{requests_per_second: 0}}
sync:
  on_error: skip
  batch_size: 2
  {options}
"""


def install(folder: Path) -> Path:
    """Install the locked version, and return its command."""
    venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "--requirement", str(REQUIREMENTS)], check=True)
    subprocess.run([*pip, "check"], check=True)
    return folder / "bin" / "drt"


@dataclass
class Destination:
    """What the server refuses, by key, and everything that it has answered."""

    refused: dict[str | None, tuple[int, str]] = field(default_factory=dict)
    answered: list[tuple[str, str | None, int]] = field(default_factory=list)
    url: str = ""

    def answer(self, path: str, record: Mapping[str, str | None]) -> tuple[int, str]:
        """Accept or refuse a record."""
        status, text = self.refused.get(record["email"], (200, "{}"))
        self.answered.append((path, record["email"], status))
        return status, text

    def count(self, path: str) -> tuple[int, int]:
        """How many records of a sync were accepted and refused since the last count."""
        statuses = [status for its_path, _, status in self.answered if its_path == path]
        self.answered = [one for one in self.answered if one[0] != path]
        return sum(one == 200 for one in statuses), sum(one != 200 for one in statuses)


@contextmanager
def serving() -> Iterator[Destination]:
    """Serve a destination on a free port of this machine."""
    destination = Destination()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, text = destination.answer(self.path.strip("/"), json.loads(body))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    destination.url = f"http://127.0.0.1:{server.server_port}"
    with running(server):
        yield destination


@dataclass
class Project:
    """A project of drt and its source."""

    command: Path
    folder: Path

    @property
    def logs(self) -> Path:
        """The folder of its logs."""
        return self.folder / ".drt"

    def create(self, syncs: Mapping[str, str]) -> None:
        """Write the project with some syncs, by file name."""
        (self.folder / "syncs").mkdir(parents=True)
        home = self.folder / "home" / ".drt"
        home.mkdir(parents=True)
        (self.folder / "drt_project.yml").write_text("name: shop\nprofile: shop\n")
        profile = {"shop": {"type": "sqlite", "database": str(self.folder / "shop.sqlite")}}
        (home / "profiles.yml").write_text(json.dumps(profile))
        for name, text in syncs.items():
            (self.folder / "syncs" / f"{name}.yml").write_text(text)

    def fill(self, *people: tuple[str | None, str, float | None]) -> None:
        """Replace the rows of the source."""
        with sqlite3.connect(self.folder / "shop.sqlite") as connection:
            connection.execute("drop table if exists people")
            connection.execute("create table people (email text, plan text, score real)")
            connection.executemany("insert into people values (?, ?, ?)", people)

    def drt(self, *arguments: str, code: int) -> str:
        """Run a command, which must exit with a code, and return what it says."""
        done = subprocess.run(
            [str(self.command), *arguments],
            cwd=self.folder,
            env=os.environ | {"HOME": str(self.folder / "home"), "DO_NOT_TRACK": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def run(self, sync: str, code: int) -> str:
        """Run a sync, and return the id of the run as drt reports it elsewhere than in its logs."""
        self.drt("run", "--select", sync, code=code)
        results = json.loads((self.folder / "target" / "drt" / "run_results.json").read_text())
        (result,) = results["results"]
        return str(result["sync_run_id"])

    def lines(self, kind: str) -> list[dict[str, object]]:
        """The lines that its logs have now, with the sync that each file is named after."""
        return [
            {"sync_id": file.stem, "value": line}
            for file in sorted((self.logs / kind).glob("*.jsonl"))
            for line in file.read_text().splitlines()
        ]
