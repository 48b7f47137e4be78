"""An S3 server in its own process (S3Proxy), and what tests do with its bucket.

The server checks the signature of each request. It keeps each object as a file, so a test can see
on its disk what a bucket really has. `make jars FORMAT=s3proxy` downloads it.
"""

import json
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pyarrow.fs import S3FileSystem

from conftest import Warehouse
from dbt_sync_logs.java import java_command
from helpers.project import PROJECT, free_port

BUCKET = "lab"
REGION = "us-east-1"
SECONDS_TO_START = 60
# the client of Spark, and the server
NEEDED = ("s3", "s3proxy")
# without it, the server writes each step of each request
QUIET = """<configuration>
  <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %level %logger{0} %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="out"/></root>
</configuration>
"""


@dataclass(frozen=True)
class S3Server:
    """A running server with one bucket."""

    port: int
    folder: Path
    access_key: str
    secret_key: str = field(repr=False)

    @property
    def bucket(self) -> Path:
        """The folder of the objects, below the disk of the server."""
        return self.folder / "objects" / BUCKET

    def variables(self, folder: Path) -> dict[str, str]:
        """The environment of a process that builds on the bucket."""
        return {
            "SYNC_LOGS_TARGET": "s3",
            "SYNC_LOGS_CATALOG": "hive",
            "SYNC_LOGS_HOME": str(folder / "home"),
            "SYNC_LOGS_WAREHOUSE": f"s3a://{BUCKET}/warehouse",
            "SYNC_LOGS_LAKE_PATH": f"s3a://{BUCKET}/lake",
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.secret_key,
            "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{self.port}",
            "AWS_REGION": REGION,
        }

    def upload(self, source: Path, target: str) -> None:
        """Put a file into the bucket."""
        with self._files().open_output_stream(f"{BUCKET}/{target}") as stream:
            stream.write(source.read_bytes())

    def remove(self, key: str) -> None:
        """Remove an object, and the folders that become empty."""
        path = self.bucket / key
        with suppress(OSError):
            path.rmdir() if key.endswith("/") else path.unlink()
        for parent in path.parents:
            if parent == self.bucket or not parent.is_dir() or any(parent.iterdir()):
                return
            parent.rmdir()

    def _files(self) -> S3FileSystem:
        return S3FileSystem(
            access_key=self.access_key,
            secret_key=self.secret_key,
            endpoint_override=f"http://127.0.0.1:{self.port}",
            region=REGION,
        )


def jars_in(name: str) -> Path:
    """A folder with jars that `make jars` downloads."""
    return Path(os.environ.get("SYNC_LOGS_JARS") or PROJECT / "jars") / name


@contextmanager
def running_server(folder: Path) -> Iterator[S3Server]:
    """Start a server on a free port, with new keys and an empty bucket."""
    jars = jars_in("s3proxy")
    port = free_port()
    server = S3Server(port, folder, f"key{secrets.token_hex(8)}", secrets.token_hex(20))
    server.bucket.mkdir(parents=True)
    (folder / "logback.xml").write_text(QUIET)
    settings = {
        "s3proxy.endpoint": f"http://127.0.0.1:{port}",
        "s3proxy.authorization": "aws-v4",
        "s3proxy.identity": server.access_key,
        "s3proxy.credential": server.secret_key,
        "jclouds.provider": "filesystem-nio2",
        "jclouds.filesystem.basedir": str(folder / "objects"),
    }
    properties = folder / "server.properties"
    properties.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    main = ["org.gaul.s3proxy.Main", "--properties", str(properties)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [java_command() or "java", "-Xmx512m", "-cp", f"{folder}:{jars}/*", *main],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_for(port, process)
        yield server
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while True:
        assert process.poll() is None, "the S3 server has ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < deadline, "the S3 server does not answer"
        time.sleep(0.1)


@dataclass
class BucketWarehouse(Warehouse):
    """A warehouse in a bucket. Its lake is a folder that is copied to the bucket."""

    server: S3Server | None = None

    def lake_path(self) -> str:
        """The URL of the copied lake."""
        self.copy_lake()
        return f"s3a://{BUCKET}/lake"

    def copy_lake(self) -> None:
        """Bring the bucket to the content of the folder; only changed files are written."""
        assert self.server is not None
        note = self.lake.with_suffix(".copied.json")
        copied = json.loads(note.read_text()) if note.exists() else {}
        there = {
            path.relative_to(self.lake).as_posix(): [path.stat().st_size, path.stat().st_mtime]
            for path in self.lake.rglob("*")
            if path.is_file()
        }
        for name, facts in there.items():
            if copied.get(name) != facts:
                self.server.upload(self.lake / name, f"lake/{name}")
        for name in copied.keys() - there.keys():
            self.server.remove(f"lake/{name}")
        note.write_text(json.dumps(there))
