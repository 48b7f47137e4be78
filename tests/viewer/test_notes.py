"""The note by which clients find the Spark of their home."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import socket

import pytest

from sync_logs_viewer.warehouse.notes import HOST, Spark, leave_note, running_at


@pytest.fixture
def port() -> Iterator[int]:
    """A port that is open: that of the Spark of the home, or of another one."""
    with socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_a_spark_is_found_while_it_runs(tmp_path: Path, port: int) -> None:
    spark = Spark(port, port, os.getpid())
    assert running_at(tmp_path) is None
    leave_note(tmp_path, spark)
    assert running_at(tmp_path) == spark


def test_the_ports_of_a_killed_spark_may_be_those_of_another_home(
    tmp_path: Path, port: int
) -> None:
    killed = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    leave_note(tmp_path, Spark(port, port, killed.pid))
    killed.kill()
    killed.wait()
    assert running_at(tmp_path) is None


def test_the_note_of_an_earlier_version_counts_as_none(tmp_path: Path, port: int) -> None:
    (tmp_path / "server.json").write_text(f'{{"connect_port": {port}, "thrift_port": {port}}}')
    assert running_at(tmp_path) is None
