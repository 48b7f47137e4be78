"""Projects in the form that dbt v2 needs, and how to run its program on them."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from helpers.project import PROJECT, copy_project

PACKAGE = "dbt_expectations"
# nothing is asked or told outside this machine
ALONE = {
    "DBT_ALLOW_EXPERIMENTAL_ADAPTERS": "true",
    "DBT_DISABLE_VERSION_CHECK": "true",
    "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
}


def copy_for_v2(folder: Path) -> Path:
    """Copy the project; dbt v2 then needs no package hub.

    It installs packages before it parses, so the one that ours needs is in a folder of its own.
    """
    copied = folder / "sync_logs"
    copy_project(copied)
    package = (copied / "dbt_packages" / PACKAGE).rename(folder / PACKAGE)
    (copied / "packages.yml").write_text(json.dumps({"packages": [{"local": str(package)}]}))
    return copied


def run_v2(program: Path, project: Path, *command: str, **variables: str) -> tuple[bool, str]:
    """Run a command on a project; whether it succeeded, and what it said, without its stack."""
    options = ["--project-dir", str(project)]
    options += ["--target-path", str(project / "target"), "--log-path", str(project / "logs")]
    if (project / "profiles.yml").exists():
        options += ["--profiles-dir", str(project), "--target", "v2"]
    else:
        # with --target, dbt v2 would not render the line of our profile that chooses the target
        options += ["--profiles-dir", str(PROJECT / "profiles")]
    done = subprocess.run(
        [str(program), *command, *options],
        cwd=project,
        env=os.environ | ALONE | {"SYNC_LOGS_TARGET": "v2"} | variables,
        capture_output=True,
        text=True,
    )
    lines = (done.stdout + done.stderr).splitlines()
    kept = [line for line in lines if not re.match(r" +(\d+: |at )", line)]
    return done.returncode == 0, "\n".join(kept)


def facts_of(manifest: dict[str, Any]) -> dict[str, Any]:
    """What a project's nodes are, by id: where, how, on what, and the rows of unit tests."""
    kinds = ("nodes", "sources", "exposures", "unit_tests")
    nodes = [node for kind in kinds for node in manifest[kind].values()]
    return {plain_id(node["unique_id"]): _facts(node) for node in nodes}


def _facts(node: dict[str, Any]) -> dict[str, Any]:
    kind, config = node["resource_type"], node.get("config") or {}
    above = (node.get("depends_on") or {}).get("nodes", [])
    facts: dict[str, Any] = {"depends_on": {plain_id(one) for one in above}}
    if kind in ("model", "seed", "source"):
        facts["place"] = (node["schema"], node.get("alias") or node["identifier"])
    if kind == "model":
        facts["made"] = (config["materialized"], node["access"], config["contract"]["enforced"])
        facts["columns"] = [(one["name"], one.get("data_type")) for one in node["columns"].values()]
    if kind in ("model", "seed", "test"):
        facts["tags"] = set(node["tags"])
    if kind == "unit_test":
        facts["given"] = {one["input"]: _rows(one["rows"]) for one in node["given"]}
        facts["expected"] = _rows(node["expect"]["rows"])
    return facts


def plain_id(unique_id: str) -> str:
    """An id without the digits of a generic test, which dbt v2 computes in another way."""
    return re.sub(r"^(test\..*)\.[0-9a-f]{10}$", r"\1", unique_id)


def _rows(rows: Any) -> Any:
    """In one order, because dbt 1 begins with the fullest row.

    Jinja, which it renders each text with, drops a last line break.
    """
    if isinstance(rows, str):
        return rows.strip()
    cut = [{name: _cut(value) for name, value in row.items()} for row in rows or []]
    return sorted(json.dumps(row, sort_keys=True) for row in cut)


def _cut(value: Any) -> Any:
    return re.sub(r"\r?\n$", "", value) if isinstance(value, str) else value
