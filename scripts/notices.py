"""`make notices`: THIRD_PARTY_NOTICES.md, from the lock and the metadata of installed packages.

It has every package that users of the Python package get on Linux, on any supported Python. Tools
of contributors and the extra `databricks`, whose packages have a lock of their own, are left out.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[1]
LOCK, PAGE = PROJECT / "requirements.lock", PROJECT / "THIRD_PARTY_NOTICES.md"
OURS = "dbt-sync-logs"
EXTRAS = ("viewer", "charts", "clusters", "mcp", "thrift")
# both ends of the lines of the lock
PYTHONS = ("3.10", "3.13")
LINE = re.compile(r"([\w.-]+)==(\S+)(?: ; (.+))?")
# packages that a newer Python does not need, so it has no metadata of them
OF_OLDER_PYTHONS = {"exceptiongroup": "MIT License"}

HEAD = """\
# Third-party notices

dbt-sync-logs is licensed under Apache-2.0 ([LICENSE](LICENSE)). Its wheel and its dbt package
contain no code of others. The data of the demo are facts, or in the public domain
([where they come from](python_loaders/sync_logs_demo/README.md)).

`pip` installs the packages below, in these versions from `requirements.lock`. `make notices` writes
the list; the licences are those that the packages state. PySpark contains Spark, whose jars have
other licences too: see `licenses` in its folder.

Two more are installed on request, and keep their own licences: dbt packages (`packages.yml`) by
`dbt deps`, and jars (`jars.lock`) from Maven Central by `make jars`.

| package | version | licence | for |
|---|---|---|---|
"""


def main() -> int:
    """Write the page; returns the exit code."""
    text = page(LOCK.read_text())
    PAGE.write_text(text)
    print(f"notices: {len(text.splitlines()) - len(HEAD.splitlines())} packages in {PAGE.name}.")
    return 0


def page(lock: str) -> str:
    """The page, for the lines of a lock. Raises LookupError for a package that it lacks."""
    versions = versions_in(lock)
    missing = needed().keys() - versions.keys()
    if missing:
        raise LookupError(f"requirements.lock lacks {', '.join(sorted(missing))}.")
    rows = [
        f"| {name} | {versions[name]} | {licence_of(name)} | {', '.join(extras)} |"
        for name, extras in sorted(needed().items())
    ]
    return HEAD + "\n".join(rows) + "\n"


def needed() -> dict[str, list[str]]:
    """Packages that users get, each with the extras that bring it; none: every installation."""
    always = closure(())
    found: dict[str, list[str]] = {name: [] for name in always}
    for extra in EXTRAS:
        for name in closure((extra,)) - always:
            found.setdefault(name, []).append(extra)
    return found


def closure(extras: Iterable[str]) -> set[str]:
    """Packages that an installation with extras brings, on one of the Pythons."""
    waiting = [(OURS, extra) for extra in ("", *extras)]
    seen = set(waiting)
    while waiting:
        name, extra = waiting.pop()
        for one in map(Requirement, requirements_of(name)):
            if is_needed(one, extra):
                wanted = {(str(canonicalize_name(one.name)), other) for other in ("", *one.extras)}
                waiting += wanted - seen
                seen |= wanted
    return {name for name, _ in seen} - {OURS}


def requirements_of(name: str) -> list[str]:
    """What a package requires; nothing if this Python does not need it. Raises LookupError."""
    try:
        return requires(name) or []
    except PackageNotFoundError:
        if name in OF_OLDER_PYTHONS:
            return []
        raise LookupError(f"{name} is not installed, so its licence is unknown.") from None


def is_needed(requirement: Requirement, extra: str) -> bool:
    """Whether a requirement applies to an extra, on one of the Pythons."""
    marker = requirement.marker
    here: Mapping[str, str] = {key: str(value) for key, value in default_environment().items()}
    return marker is None or any(
        marker.evaluate({**here, "python_version": python, "extra": extra}) for python in PYTHONS
    )


def licence_of(name: str) -> str:
    """The licence that a package states."""
    try:
        stated = metadata(name).json
    except PackageNotFoundError:
        return OF_OLDER_PYTHONS[name]
    classifiers = [str(one).split(" :: ") for one in stated.get("classifier", [])]
    named = [one[-1] for one in classifiers if one[0] == "License" and one[-1] != "OSI Approved"]
    said = str(stated.get("license") or "not stated").splitlines()[0]
    return str(stated.get("license_expression") or ", ".join(named) or said)


def versions_in(lock: str) -> dict[str, str]:
    """The version of each package of a lock; a second one is that of Python 3.10.

    Raises ValueError for a line that is not of such a form.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for line in lock.splitlines():
        read = LINE.fullmatch(line)
        if not read:
            raise ValueError(f"{line!r}: expected name==version, and a marker if there are two.")
        name, version, marker = read.groups("")
        is_older = "<" in marker
        found[str(canonicalize_name(name))].append(
            f"{version} (Python 3.10)" if is_older else version
        )
    # the newer one first
    return {
        name: ", ".join(sorted(given, key=lambda one: "(" in one)) for name, given in found.items()
    }


if __name__ == "__main__":
    sys.exit(main())
