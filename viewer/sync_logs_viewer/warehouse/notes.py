"""The note that `make serve` leaves in its home: where its Spark is while it runs."""

import json
import os
import socket
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

HOST = "127.0.0.1"
SECONDS_TO_ANSWER = 1


@dataclass(frozen=True)
class Spark:
    """The ports and the process of the Spark of a home."""

    connect_port: int
    thrift_port: int
    process_id: int

    @property
    def remote(self) -> str:
        """The URL for Spark Connect."""
        return f"sc://localhost:{self.connect_port}"

    def answers(self) -> bool:
        """Whether it runs and both of its ports are open.

        After it was killed, the Spark of another home can have taken its ports.
        """
        return (
            _is_running(self.process_id)
            and _is_open(self.connect_port)
            and _is_open(self.thrift_port)
        )


def running_at(home: Path) -> Spark | None:
    """The Spark that runs for a home, if one does."""
    with suppress(OSError, ValueError, TypeError):
        found = Spark(**json.loads(_note(home).read_text()))
        return found if found.answers() else None
    return None


def leave_note(home: Path, spark: Spark) -> None:
    """Record where the Spark of a home is."""
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


def _is_running(process_id: int) -> bool:
    try:
        # sends nothing
        os.kill(process_id, 0)
    except PermissionError:
        # of another user
        return True
    except OSError:
        return False
    return True
