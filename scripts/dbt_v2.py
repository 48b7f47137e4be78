"""The program of dbt v2: `python -m scripts.dbt_v2` prints its path.

It has a folder of its own, because its package has the name of the dbt-core that `.venv` has. It is
installed once, and again if its lock has changed.
"""

import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
FOLDER = PROJECT / ".dbt-v2"
REQUIREMENTS = PROJECT / "requirements-dbt-v2.lock"
# a build of the source would download the program from outside the package index
ONLY_WHEELS = ("--no-deps", "--only-binary", ":all:", "--retries", "1")


class NotInstalledError(Exception):
    """There is no wheel for this machine, or no package index; the message has pip's reason."""


def program() -> Path:
    """The program, installed if needed. Raises NotInstalledError."""
    found, ready = FOLDER / "bin" / "dbt", FOLDER / "ready.txt"
    wanted = REQUIREMENTS.read_text()
    if not ready.exists() or ready.read_text() != wanted:
        shutil.rmtree(FOLDER, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        place = ["--target", str(FOLDER), "--requirement", str(REQUIREMENTS)]
        done = subprocess.run([*pip, *ONLY_WHEELS, *place], capture_output=True, text=True)
        if done.returncode:
            said = done.stderr.strip().splitlines() or ["pip said nothing"]
            raise NotInstalledError(f"dbt v2 could not be installed: {said[-1]}")
        ready.write_text(wanted)
    return found


if __name__ == "__main__":
    try:
        print(program())
    except NotInstalledError as error:
        sys.exit(str(error))
