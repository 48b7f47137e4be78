"""The note that `make serve` leaves in its home: the ports of its Spark while it runs."""

import json
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

HOST = "127.0.0.1"
SECONDS_TO_ANSWER = 1


@dataclass(frozen=True)
class Spark:
    """The ports of the Spark of a home."""

    connect_port: int
    thrift_port: int

    @property
    def remote(self) -> str:
        """The URL for Spark Connect."""
        return f"sc://localhost:{self.connect_port}"

    def answers(self) -> bool:
        """Whether both of its ports are open."""
        return _is_open(self.connect_port) and _is_open(self.thrift_port)


def running_at(home: Path) -> Spark | None:
    """The Spark that runs for a home, if one does."""
    with suppress(OSError, ValueError, TypeError):
        found = Spark(**json.loads(_note(home).read_text()))
        return found if found.answers() else None
    return None


def leave_note(home: Path, spark: Spark) -> None:
    """Record the ports of the Spark of a home."""
    _note(home).write_text(json.dumps(asdict(spark)))


def take_note_away(home: Path, spark: Spark) -> None:
    """Remove the note of this Spark; the note of another one stays."""
    with suppress(OSError, ValueError, TypeError):
        if Spark(**json.loads(_note(home).read_text())) == spark:
            _note(home).unlink()


def _note(home: Path) -> Path:
    return home / "server.json"


def _is_open(port: int) -> bool:
    with suppress(OSError):
        socket.create_connection((HOST, port), SECONDS_TO_ANSWER).close()
        return True
    return False
