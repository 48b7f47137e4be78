"""Projects that use the package: copies of `integration_tests` with different configurations."""

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml
from dbt.cli.main import dbtRunner

from helpers.project import PROJECT
from link_packages import link_packages

CONSUMER = PROJECT / "integration_tests"
LEFT_BY_DBT = ("dbt_packages", "target", "logs", "package-lock.yml")
Change = Callable[[dict[str, Any]], None]


def consumer(folder: Path, change: Change | None = None) -> Path:
    """Copy the project to a new folder, change its configuration, link its packages."""
    shutil.copytree(CONSUMER, folder, ignore=shutil.ignore_patterns(*LEFT_BY_DBT))
    file = folder / "dbt_project.yml"
    configuration = yaml.safe_load(file.read_text())
    if change is not None:
        change(configuration)
    file.write_text(yaml.safe_dump(configuration))
    link_packages(folder)
    return folder


def variables(**given: object) -> list[str]:
    """Variables as command arguments."""
    return ["--vars", json.dumps(given)]


def rename(configuration: dict[str, Any]) -> None:
    """Rename our schemas."""
    # the first line renames the marts, and the others rename the state
    configuration["models"]["sync_logs"] = {
        "marts": {"+schema": "logs"},
        "staging": {"+schema": "logs_state"},
        "intermediate": {"+schema": "logs_state"},
    }
    configuration["seeds"]["sync_logs"] = {"+schema": "logs_state"}


def parsed(project: Path, *options: str, profiles: Path | None = None) -> Any:
    """The manifest of a project, without Spark. Profiles are in its folder unless given."""
    folders = ["--project-dir", str(project), "--profiles-dir", str(profiles or project)]
    outcome = dbtRunner().invoke(["parse", *options, *folders, "--no-partial-parse", "--quiet"])
    assert outcome.success, outcome.exception
    return outcome.result


def ours(manifest: Any, kind: str) -> dict[str, Any]:
    """The package's nodes of one kind (model, test, seed), by name.

    A test of a disabled model is still listed, and is disabled too.
    """
    return {
        node.name: node
        for node in manifest.nodes.values()
        if node.package_name == "sync_logs" and node.resource_type == kind and node.config.enabled
    }


def mart_folder(node: Any) -> str | None:
    """The folder of `models/marts` that a model is in; None if it is elsewhere."""
    parts = Path(node.original_file_path).parts
    return parts[2] if parts[:2] == ("models", "marts") else None


def folders_of_marts() -> list[str]:
    """All folders of documented tables."""
    return sorted(folder.name for folder in (PROJECT / "models" / "marts").iterdir())


def schemas_of(nodes: Iterable[Any]) -> set[str]:
    """The schemas of some nodes."""
    return {node.schema for node in nodes}


def bare_consumer(folder: Path, **configuration: Any) -> Path:
    """A project without its own models. By default, it uses our profile to build in our Spark."""
    folder.mkdir()
    project = {"name": "theirs", "version": "1.0.0", "config-version": 2, "profile": "sync_logs"}
    (folder / "dbt_project.yml").write_text(yaml.safe_dump(project | configuration))
    link_packages(folder)
    return folder
