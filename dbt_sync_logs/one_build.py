"""One build at a time in a schema of a server, as far as this machine can see.

The catalog of a server allows any number of processes, and two builds that write to the same
tables at the same time delete each other's temporary files. If the profile names a lock file, the
second build does not start. The system frees the lock when the process ends, however it ends.
This lock does not see builds from other machines: of those, the one that commits second is refused.
"""

import fcntl
from io import FileIO
from pathlib import Path
from typing import Any

from .checks import EmbeddedSparkError

LOCK_FILE = "spark.sync_logs.lockFile"
WRITING_COMMANDS = ("build", "run", "seed", "retry", "run-operation")
# It only reads, and users run it when something hangs.
DOCTOR = "sync_logs_doctor"
# Kept open: closing a file gives up its lock.
_held: dict[Path, FileIO] = {}


def hold_schema(credentials: Any, flags: Any) -> None:
    """Take the lock that a profile names, if the command writes. Raises EmbeddedSparkError."""
    named = (getattr(credentials, "server_side_parameters", None) or {}).get(LOCK_FILE)
    operation = str(getattr(flags, "MACRO", None) or "").rpartition(".")[2]
    if not named or getattr(flags, "WHICH", None) not in WRITING_COMMANDS or operation == DOCTOR:
        return
    path = Path(named).absolute()
    if path in _held:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileIO(path, "a+")
    except OSError as error:
        raise EmbeddedSparkError(
            f"The lock file {path} cannot be written ({error.strerror}). Set {LOCK_FILE} in the "
            "profile to a file that is writable, or remove it."
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise EmbeddedSparkError(
            f"Another dbt command is writing to the schema {credentials.schema} of this server. "
            "Wait until it has ended, then run yours again."
        ) from None
    _held[path] = lock
