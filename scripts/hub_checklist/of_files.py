"""Checks of files: the licence, the README, YAML, the version, and what is shipped."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml
from dbt_common.exceptions import SemverError
from dbt_common.semver import VersionSpecifier

from .finding import Finding
from .package import Package

# the first words of the licences that packages have
LICENCES = {
    "apache license version 2 0": "Apache-2.0",
    "mit license": "MIT",
    "bsd 3 clause license": "BSD-3-Clause",
}
# our own limits: `dbt deps` downloads the archive into each project and each job
MOST_BYTES, MOST_BYTES_OF_A_FILE = 10_000_000, 1_000_000
# the hub ignores other tags, and those of releases before the final one
RELEASE = re.compile(r"v?((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))")
NOT_ON_EVERY_SYSTEM = re.compile(r'[<>:"\\|?*]')
# what the project of a user has itself, and what dbt writes
OF_A_PROJECT = {"dbt_packages", "target", "logs", "profiles.yml", "package-lock.yml"}


def licence(package: Package) -> Finding:
    """A licence that GitHub recognises by its file."""
    file = package.folder / "LICENSE"
    words = " ".join(re.findall(r"\w+", file.read_text().lower())) if file.exists() else ""
    found = [name for title, name in LICENCES.items() if words.startswith(title)]
    return Finding(found[0]) if found else Finding("", ("no LICENSE that begins with its name",))


def readme(package: Package) -> Finding:
    """The README leads to the installation of this version and to every setting."""
    pages = [package.folder / "README.md"]
    text = pages[0].read_text() if pages[0].exists() else ""
    linked = re.findall(r"\]\(([^)#:]+\.md)", text)
    texts = [
        text,
        *(file.read_text() for name in linked if (file := package.folder / name).exists()),
    ]
    problems = []
    installs = [one for text in texts for one in _installs(text)]
    revisions = {str(one.get("revision", one.get("version"))) for one in installs}
    if revisions != {package.version}:
        problems.append(f"it installs {sorted(revisions) or 'nothing'}, not {package.version}")
    headings = {one for text in texts for one in re.findall(r"^#+ `(\w+)`$", text, re.MULTILINE)}
    problems += [f"{name} is not explained" for name in package.settings if name not in headings]
    if "Apache Spark" not in text:
        problems.append("it does not name the platform")
    return Finding(f"{len(package.settings)} settings explained", tuple(problems))


def _installs(text: str) -> Iterator[dict[str, Any]]:
    """The packages that YAML examples of a page install."""
    for block in re.findall(r"^```ya?ml\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        example = yaml.safe_load(block)
        yield from example.get("packages", []) if isinstance(example, dict) else []


def dbt_versions(package: Package) -> Finding:
    """`require-dbt-version` has a lower bound, and an upper one at a major version."""
    given = package.project.get("require-dbt-version") or []
    bounds = [given] if isinstance(given, str) else list(given)
    problems = _unbounded(bounds)
    upper = [one for one in bounds if one.startswith("<")]
    if upper and not re.fullmatch(r"<\d+\.0\.0", upper[0]):
        problems.append(f"{upper[0]} is within a major version of dbt")
    return Finding(" ".join(bounds), tuple(problems))


def dependencies(package: Package) -> Finding:
    """Other packages come from the hub, in ranges of versions."""
    problems = []
    for one in package.needed:
        name = one.get("package")
        if name is None:
            problems.append(f"{next(iter(one.values()))} does not come from the hub")
            continue
        given = one.get("version", [])
        bounds = [given] if isinstance(given, str) else list(given)
        problems += [f"{name}: {problem}" for problem in _unbounded(bounds)]
    names = ", ".join(str(one.get("package")) for one in package.needed)
    return Finding(names or "none", tuple(problems))


def _unbounded(bounds: Iterable[str]) -> list[str]:
    """What is wrong with a range of versions, as dbt reads it."""
    try:
        read = [VersionSpecifier.from_version_string(one) for one in bounds]
    except SemverError as error:
        return [" ".join(str(error).split())]
    problems = [] if any(one.is_lower_bound for one in read) else ["it has no lower bound"]
    return problems + ([] if any(one.is_upper_bound for one in read) else ["it has no upper bound"])


def files(package: Package) -> Finding:
    """What is shipped can be unpacked on every system, and is small."""
    problems = [f"{one} is a link" for one in package.files if (package.folder / one).is_symlink()]
    alike = Counter(str(one).lower() for one in package.files)
    problems += [f"{name} is there in two spellings" for name, count in alike.items() if count > 1]
    problems += [
        f"{one} is no name" for one in package.files if NOT_ON_EVERY_SYSTEM.search(str(one))
    ]
    at_root = {one.parts[0] for one in package.files}
    problems += [f"{name} is shipped" for name in sorted(at_root & OF_A_PROJECT)]
    sizes = {one: (package.folder / one).lstat().st_size for one in package.files}
    problems += [f"{one} has {n:,} bytes" for one, n in sizes.items() if n > MOST_BYTES_OF_A_FILE]
    total = sum(sizes.values())
    problems += [f"{total:,} bytes are more than {MOST_BYTES:,}"] if total > MOST_BYTES else []
    return Finding(f"{len(sizes)} files, {total / 1e6:.1f} MB", tuple(problems))


def integration_tests(package: Package) -> Finding:
    """A project in a folder of the package installs it, as users do."""
    for file in package.files:
        if file.name == "packages.yml" and len(file.parts) > 1:
            installed = yaml.safe_load((package.folder / file).read_text())["packages"]
            place = (package.folder / file).parent
            roots = [(place / one["local"]).resolve() for one in installed if "local" in one]
            if (
                package.folder.resolve() in roots
                and Path(file.parent, "dbt_project.yml") in package.files
            ):
                return Finding(str(file.parent))
    return Finding("", ("no project in the package installs it",))


def version(package: Package) -> Finding:
    """A final version, from 1.0.0 on, with an entry in the changelog and the tag of its commit."""
    problems = []
    read = RELEASE.fullmatch(package.version)
    if not read or package.version.startswith(("0.", "v")):
        problems.append(f"{package.version} is no version from 1.0.0 on")
    changelog = package.folder / "CHANGELOG.md"
    text = changelog.read_text() if changelog.exists() else ""
    if not re.search(rf"^## {re.escape(package.version)}\b", text, re.MULTILINE):
        problems.append(f"CHANGELOG.md has no entry for {package.version}")
    tagged = [found[1] for one in package.tags if (found := RELEASE.fullmatch(one))]
    problems += [f"the tag is {one}" for one in tagged if one != package.version]
    if tagged and f"## {package.version} (unreleased)" in text:
        problems.append("CHANGELOG.md says that it is unreleased")
    return Finding(
        f"{package.version}, {'tagged' if tagged else 'not tagged yet'}", tuple(problems)
    )
