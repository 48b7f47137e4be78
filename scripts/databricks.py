"""The environment with the adapter of Databricks: `python -m scripts.databricks` prints its Python.

It has this package with the extra `databricks`, as its users install it. It is made once, and again
if the requirements have changed.
"""

import hashlib
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
FOLDER = PROJECT / ".venv-databricks"
REQUIREMENTS = PROJECT / "requirements-databricks.lock"
# files that decide what is installed
INSTALLED_FROM = [
    REQUIREMENTS,
    PROJECT / "pyproject.toml",
    *sorted((PROJECT / "dbt_sync_logs").glob("*.py")),
]


def python() -> Path:
    """The Python of the environment. Raises CalledProcessError if pip cannot install it."""
    found = FOLDER / "bin" / "python"
    ready = FOLDER / ".ready"
    key = hashlib.sha256(b"".join(path.read_bytes() for path in INSTALLED_FROM)).hexdigest()
    if ready.exists() and ready.read_text() == key:
        return found
    shutil.rmtree(FOLDER, ignore_errors=True)
    venv.create(FOLDER, with_pip=True)
    pip = [str(found), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    try:
        install = ["install", "--requirement", str(REQUIREMENTS), f"{PROJECT}[databricks]"]
        subprocess.run([*pip, *install], check=True)
    finally:
        # pip builds the package in the project's folder
        for left in [PROJECT / "build", *PROJECT.glob("*.egg-info")]:
            shutil.rmtree(left, ignore_errors=True)
    subprocess.run([*pip, "check"], check=True)
    ready.write_text(key)
    return found


if __name__ == "__main__":
    print(python())
    sys.exit(0)
