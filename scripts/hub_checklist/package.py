"""A package as its users get it: its files, and the manifest of a project that has installed it."""

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

# the schema of the target in the project of a user
SCHEMA = "their_schema"
USER = "theirs"


@dataclass(frozen=True)
class Package:
    """A package in a folder, and what dbt reads of it in the project of a user."""

    folder: Path
    # relative to the folder: the hub ships what git knows
    files: tuple[Path, ...]
    # dbt_project.yml and packages.yml
    project: Mapping[str, Any]
    needed: tuple[Mapping[str, Any], ...]
    # None if the project of a user does not parse
    manifest: Any
    # what dbt said; its error if there is no manifest
    warnings: tuple[str, ...]
    # of the commit that is checked out
    tags: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name, which is that of its folder in `dbt_packages` too."""
        return str(self.project["name"])

    @property
    def version(self) -> str:
        """The version in dbt_project.yml."""
        return str(self.project["version"])

    @property
    def settings(self) -> list[str]:
        """The variables that dbt_project.yml declares for the package."""
        return list((self.project.get("vars") or {}).get(self.name) or {})

    def own(self, *kinds: str) -> Iterator[Any]:
        """The nodes of some kinds that belong to the package, sources included."""
        found = [*self.manifest.nodes.values(), *self.manifest.sources.values()]
        for node in found:
            if node.package_name == self.name and node.resource_type in kinds:
                yield node

    def own_macros(self) -> list[Any]:
        """The macros of the package."""
        return [one for one in self.manifest.macros.values() if one.package_name == self.name]


def package_in(folder: Path, dependencies: Path) -> Package:
    """The package in a folder, with the packages that it needs in another one."""
    project = yaml.safe_load((folder / "dbt_project.yml").read_text())
    needed = folder / "packages.yml"
    packages = yaml.safe_load(needed.read_text())["packages"] if needed.exists() else []
    files = tuple(Path(name) for name in git(folder, "ls-files", "-z").split("\0") if name)
    # a file that was deleted is still listed
    files = tuple(one for one in files if (folder / one).is_symlink() or (folder / one).exists())
    tags = tuple(git(folder, "tag", "--points-at", "HEAD").split())
    with TemporaryDirectory() as home:
        user = Path(home)
        _install(folder, files, user / "dbt_packages" / project["name"])
        for one in dependencies.iterdir():
            if one.is_dir():
                shutil.copytree(one, user / "dbt_packages" / one.name)
        _write_project(user, _names_in_use(project, files))
        manifest, warnings = _parsed(user)
    return Package(folder, files, project, tuple(packages), manifest, warnings, tags)


def git(folder: Path, *command: str) -> str:
    """What a command of git prints; nothing if it fails, as in a folder without a commit."""
    done = subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True)
    return done.stdout


def _install(folder: Path, files: tuple[Path, ...], installed: Path) -> None:
    """Copy files as an archive has them: links stay links, and nothing else is there."""
    for file in files:
        (installed / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / file, installed / file, follow_symlinks=False)


def _names_in_use(project: Mapping[str, Any], files: Iterable[Path]) -> set[str]:
    """Names that the project of a user may have too: those of public models, and of seeds."""
    folders = project.get("models", {}).get(project["name"], {})
    public = [name for name, given in folders.items() if given.get("+access") == "public"]
    nodes = [("models", name) for name in public] + [("seeds",)]
    return {
        file.stem
        for file in files
        if file.suffix in (".sql", ".py", ".csv")
        and any(file.parts[: len(folder)] == folder for folder in nodes)
    }


def _write_project(user: Path, names: Iterable[str]) -> None:
    """A project with a profile and models of its own."""
    target = {"type": "spark", "method": "session", "host": "localhost", "schema": SCHEMA}
    texts = {
        "dbt_project.yml": {"name": USER, "version": "1.0.0", "profile": USER},
        "profiles.yml": {USER: {"target": "dev", "outputs": {"dev": target}}},
        "packages.yml": {
            "packages": [{"local": str(one)} for one in sorted((user / "dbt_packages").iterdir())]
        },
    }
    for name, text in texts.items():
        (user / name).write_text(yaml.safe_dump(text))
    (user / "models").mkdir()
    for name in names:
        (user / "models" / f"{name}.sql").write_text("select 1 as id\n")


def _parsed(user: Path) -> tuple[Any, tuple[str, ...]]:
    """The manifest of a project, and dbt's warnings; None if it does not parse."""
    from dbt.cli.main import dbtRunner

    said: list[str] = []

    def hear(event: Any) -> None:
        if event.info.level == "warn":
            said.append(" ".join(str(event.info.msg).split()))

    folders = ["--project-dir", str(user), "--profiles-dir", str(user)]
    own = ["--log-path", str(user / "logs"), "--no-partial-parse", "--log-level", "none"]
    own += ["--no-use-colors"]
    done = dbtRunner(callbacks=[hear]).invoke(["parse", *folders, *own])
    if not done.success:
        said.append(" ".join(str(done.exception).split()))
    return (done.result if done.success else None), tuple(said)
