"""Installs the packages of packages.yml from the package hub, or a stand-in if it does not answer.

A stand-in never replaces an installed package. Prints one line on what it did.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import requests
from dbt.clients import registry

PACKAGE = "dbt_expectations"
# An unresolvable name fails immediately. This limit is for networks that drop packets: dbt itself
# would try six times, for 30 seconds each.
SECONDS_TO_ANSWER = 5
SECONDS_TO_INSTALL = 120


class NotInstalledError(Exception):
    """The hub's packages could not be installed; the message says why."""


def main(project: Path) -> int:
    """Install the packages of a project; returns the exit code."""
    installed = project / "dbt_packages" / PACKAGE
    stand_in = project / "scripts" / "stand_ins" / PACKAGE
    try:
        _ask_the_hub()
        _install_from_hub(project)
    except NotInstalledError as reason:
        if installed.exists() and not (installed / "STAND_IN.md").exists():
            print(f"setup: {reason}; {PACKAGE} in dbt_packages stays as it is.")
        elif stand_in.exists():
            _copy(stand_in, installed)
            print(f"setup: {reason}; the stand-in for {PACKAGE} is installed (see README.md).")
        else:
            print(
                f"setup: {reason}, and there is no stand-in in scripts/stand_ins; "
                f"put {PACKAGE} into dbt_packages.",
                file=sys.stderr,
            )
            return 1
    else:
        print(f"setup: {PACKAGE} is installed from the package hub.")
    (project / "dbt_packages" / ".ready").touch()
    return 0


def _ask_the_hub() -> None:
    try:
        address = f"{registry.DEFAULT_REGISTRY_BASE_URL}api/v1/index.json"
        requests.get(address, timeout=SECONDS_TO_ANSWER).raise_for_status()
    except requests.RequestException as error:
        raise NotInstalledError(
            f"the package hub does not answer ({type(error).__name__})"
        ) from None


def _install_from_hub(project: Path) -> None:
    dbt = Path(sys.executable).with_name("dbt")
    command = [str(dbt), "--quiet", "--no-use-colors", "deps", "--project-dir", str(project)]
    try:
        outcome = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=SECONDS_TO_INSTALL
        )
    except subprocess.TimeoutExpired:
        raise NotInstalledError(f"dbt deps took over {SECONDS_TO_INSTALL} seconds") from None
    if outcome.returncode != 0:
        # the reason comes last, after a stack trace if dbt did not expect the error
        said = (outcome.stdout + outcome.stderr).strip().splitlines() or ["no reason given"]
        raise NotInstalledError(f"dbt deps failed ({said[-1].strip()})")


def _copy(stand_in: Path, installed: Path) -> None:
    # dbt reads every folder here as a package, unless its name begins with `__`
    copy = installed.with_name(f"__{installed.name}")
    for folder in (copy, installed):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(stand_in, copy)
    copy.rename(installed)
    # dbt 1.12 compares what is installed with the lock, which can name packages of the hub
    (installed.parents[1] / "package-lock.yml").unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parents[1]))
