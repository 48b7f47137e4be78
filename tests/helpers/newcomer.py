"""What a new user types in a terminal, in a fresh clone, and what the commands must not print."""

import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from helpers.project import PROJECT

KEPT = ("PATH", "JAVA_HOME", "LANG", "LC_ALL", "PYTHON", "PIP_CACHE_DIR", "PIP_INDEX_URL", "TMPDIR")
DBT = ".venv/bin/dbt {} --profiles-dir profiles"
# output that users must never have to read
NOISE = re.compile(
    r"Traceback \(most recent call last\)|^\s+at [\w.$]+\(|== Physical Plan ==", re.M
)


@dataclass(frozen=True)
class Step:
    """A command line, its output, and whether it refuses."""

    command: str
    says: str = ""
    is_refused: bool = False


def dbt(arguments: str, says: str = "", *, is_refused: bool = False, **environment: str) -> Step:
    """A dbt command, with its variables in front, as a shell accepts them."""
    before = "".join(f"{name}={shlex.quote(value)} " for name, value in environment.items())
    return Step(before + DBT.format(arguments), says, is_refused)


def operation(macro: str, arguments: str = "", says: str = "", *, is_refused: bool = False) -> Step:
    """An operation with its arguments as YAML."""
    given = f" --args {shlex.quote(arguments)}" if arguments else ""
    return dbt(f"run-operation {macro}{given}", says, is_refused=is_refused)


def cloned(folder: Path) -> Path:
    """A clone of the committed files, in a folder with a space."""
    clone = folder / "My Projects" / "dbt-sync-logs"
    subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(clone)], check=True)
    return clone


def environment(clone: Path) -> dict[str, str]:
    """That of a new terminal: none of our variables, no catalog, no dbt cache."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    home = clone.parent / "home"
    home.mkdir(exist_ok=True)
    return kept | {"HOME": str(home)}


def take(clone: Path, step: Step, **more: str) -> str:
    """Run a command in the clone and return its output; on failure, show it.

    With `pytest -s`, what is printed is a transcript.
    """
    command = step.command.replace("{clone}", str(clone))
    print(f"$ {command}", flush=True)
    started = time.monotonic()
    told = subprocess.run(
        ["bash", "-c", command],
        cwd=clone,
        env=environment(clone) | more,
        capture_output=True,
        text=True,
        check=False,
    )
    said = told.stdout + told.stderr
    print(f"{_shown(said, step.says)}\n({time.monotonic() - started:.0f} s)\n", flush=True)
    # dbt exits with 1 if a node failed, and with 2 for an unexpected error
    assert (told.returncode != 0) == step.is_refused, said
    assert step.says in " ".join(said.split()), said
    assert not NOISE.search(said), said
    return told.stdout


def _shown(said: str, expected: str) -> str:
    """The lines that a step is about, and the last three."""
    lines = [line for line in said.splitlines() if line.strip()]
    about = [line for line in lines[:-3] if expected and expected in line]
    return "\n".join([*about, *lines[-3:]])


@contextmanager
def server(clone: Path) -> Iterator[dict[str, str]]:
    """`make serve`, and the variables that it prints for another terminal."""
    with subprocess.Popen(
        ["make", "serve"],
        cwd=clone,
        env=environment(clone),
        stdout=subprocess.PIPE,
        text=True,
        # as in a terminal, Ctrl-C reaches all of them
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        exported = {}
        for line in process.stdout:
            if line.strip().startswith("export "):
                exported = dict(pair.split("=", 1) for pair in line.split()[1:])
            if "Ctrl-C" in line:
                break
        try:
            yield exported
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(60)
