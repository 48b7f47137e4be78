"""A PostgreSQL server of its own, on a free port of this machine, which logs each statement."""

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from helpers.project import free_port

USER = "reader"
# the server refuses to run as root
OWNER = "postgres"
PLACES = "/usr/lib/postgresql"


@dataclass(frozen=True)
class PostgreSQL:
    """A running server."""

    port: int
    folder: Path
    password: str = field(repr=False)

    @property
    def url(self) -> str:
        """The URL for JDBC; text is taken as the type of its column, for instance JSON."""
        return f"jdbc:postgresql://127.0.0.1:{self.port}/postgres?stringtype=unspecified"

    @property
    def log(self) -> str:
        """All statements so far."""
        return (self.folder / "log").read_text()

    def variables(self) -> dict[str, str]:
        """The environment of a process whose Spark reads the database."""
        return {
            "SYNC_LOGS_TARGET": "postgresql",
            "SYNC_LOGS_JDBC_URL": self.url,
            "DBT_ENV_SECRET_JDBC_USER": USER,
            "DBT_ENV_SECRET_JDBC_PASSWORD": self.password,
        }


def program(name: str) -> str | None:
    """The path of a program of the newest PostgreSQL that is installed."""
    found = sorted(Path(PLACES).glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


@contextmanager
def running_postgresql(folder: Path) -> Iterator[PostgreSQL]:
    """Create a database in a new folder, and run its server as long as the block.

    Other users must be able to go into the folder above it.
    """
    folder.mkdir(mode=0o755)
    server = PostgreSQL(free_port(), folder, secrets.token_hex(20))
    password = folder / "password"
    password.write_text(server.password)
    is_root = os.geteuid() == 0
    if is_root:
        for file in (folder, password):
            shutil.chown(file, OWNER)
        folder.parent.chmod(0o755)

    def run(name: str, *options: str) -> None:
        command = [program(name) or name, "--pgdata", str(folder / "data"), *options]
        owner = OWNER if is_root else None
        with (folder.parent / f"{name}.out").open("a") as said:
            subprocess.run(command, user=owner, stdout=said, stderr=said, cwd="/", check=True)

    run("initdb", "--username", USER, "--pwfile", str(password), "--auth", "scram-sha-256")
    password.unlink()
    options = f"-p {server.port} -k {folder} -c log_statement=all -c listen_addresses=127.0.0.1"
    run("pg_ctl", "--options", options, "--log", str(folder / "log"), "--wait", "start")
    try:
        yield server
    finally:
        run("pg_ctl", "--mode", "immediate", "stop")
