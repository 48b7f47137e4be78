"""Runs every command of the project with the real adapter, and writes what it sent as JSON.

Arguments: the project, a folder to work in. The last line is the path of the file.
"""

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dbt.cli.main import dbtRunner

from .answers import Scenario
from .connection import STATE, Warehouse, use

# the arguments with which each operation is run, in this order: after a purge, there is only one
# load, so nothing to compact
OPERATIONS: dict[str, list[dict[str, Any]]] = {
    "sync_logs_compact": [{}],
    "prune_sync_logs": [{}, {"dry_run": False}, {"dry_run": False, "retention_days": 1}],
    "purge_record": [{"organization_id": "7", "identifier": "a"}],
    "sync_logs_collect": [{}, {"keep_previous": False}],
    "sync_logs_convert": [{}],
    "sync_logs_doctor": [{}],
}

BUILD = ("build", "--exclude-resource-type", "unit_test")

# a lake, and tables of every vendor, which have all columns that are read
VENDORS = ("census_writeback", "hightouch", "rudderstack")
SOURCES: list[dict[str, str]] = [
    {"name": "lake", "type": "census_lake"},
    *({"name": type_, "type": type_, "schema": type_} for type_ in VENDORS),
]


class Recorder:
    """Runs commands on one warehouse, one after the other, as a user would."""

    def __init__(
        self,
        project: Path,
        profiles: Path,
        folder: Path,
        state: str = STATE,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.warehouse = Warehouse(state)
        use(self.warehouse)
        self.outcomes: list[dict[str, Any]] = []
        self.compiled: list[dict[str, str]] = []
        self._places = [
            *("--project-dir", str(project), "--profiles-dir", str(profiles)),
            *("--target-path", str(folder / "target"), "--log-path", str(folder / "logs")),
        ]
        self._settings = dict(settings or {})
        parsed = dbtRunner().invoke(["parse", *self._variables({}), *self._places])
        if not parsed.success:
            raise SystemExit(f"The project does not parse: {parsed.exception}")
        self.manifest = parsed.result
        self.warehouse.contracts = {
            node.unique_id: [(column.name, column.data_type) for column in node.columns.values()]
            for node in self.manifest.nodes.values()
            if node.resource_type == "model"
        }
        for node in self.manifest.nodes.values():
            for table, columns in node.config.meta.get("reads", {}).items():
                self.warehouse.data.source_columns.setdefault(table, {}).update(columns)

    def _variables(self, more: Mapping[str, Any]) -> list[str]:
        return ["--vars", json.dumps({**self._settings, **more})]

    def run(
        self,
        name: str,
        *command: str,
        settings: Mapping[str, Any] | None = None,
        **scenario: bool,
    ) -> None:
        """Run one command in a scenario, with more settings than those of the recorder."""
        self.warehouse.command = name
        self.warehouse.data.scenario = replace(Scenario(), **scenario)
        said: list[str] = []
        runner = dbtRunner(
            manifest=self.manifest,
            callbacks=[lambda event: said.append(event.info.msg) if _is_shown(event) else None],
        )
        outcome = runner.invoke([*command, *self._variables(settings or {}), *self._places])
        # an operation has results of another kind
        is_operation = command[0] == "run-operation"
        results = [] if is_operation else getattr(outcome.result, "results", None) or []
        failures = [
            f"{result.node.unique_id}: {result.message}"
            for result in results
            if str(result.status) in ("error", "fail", "runtime error")
        ]
        self.outcomes.append(
            {
                "command": name,
                "succeeded": outcome.success,
                "nodes": [result.node.unique_id for result in results],
                "failures": failures + ([str(outcome.exception)] if outcome.exception else []),
                "logged": said,
            }
        )
        if command[0] == "compile":
            self.compiled = [
                {"node": result.node.unique_id, "sql": result.node.compiled_code}
                for result in results
                if getattr(result.node, "compiled_code", None) and result.node.language == "sql"
            ]

    def forget(self, *tables: str) -> None:
        """Drop tables, as in a new workspace; without names, all."""
        relations = self.warehouse.catalog.relations
        for name in tables or list(relations):
            del relations[name]


def record_all(recorder: Recorder) -> None:
    """Builds of all kinds, tests and operations."""
    recorder.run("first build", *BUILD, reads_all=False)
    if not recorder.outcomes[0]["succeeded"]:
        # nothing else would
        return
    recorder.run("next build", *BUILD)
    recorder.run("idle build", *BUILD, has_news=False)
    recorder.run("full refresh", *BUILD, "--full-refresh")
    recorder.run("empty build", *BUILD, "--empty")
    everything = ("--select", "*", "--exclude-resource-type", "unit_test")
    recorder.run("tests of everything", "test", *everything)
    recorder.run("compile", "compile")
    for operation, calls in OPERATIONS.items():
        for arguments in calls:
            name = f"{operation} {json.dumps(arguments)}"
            recorder.run(name, "run-operation", operation, "--args", json.dumps(arguments))
    recorder.run(
        "purge in advance",
        "run-operation",
        "purge_record",
        "--args",
        json.dumps({"organization_id": "7", "identifier": "b", "in_advance": True}),
        holds_record=False,
    )
    files = recorder.warehouse.catalog.relations[f"{STATE}.int_files__planned"]
    files.loads.add("20200101T000000000000_killed00")
    recorder.run("build after a killed one", *BUILD)
    _make_old(recorder)
    recorder.run("build on an older state", *BUILD)
    elsewhere = {
        "sync_logs_settings_relation": "other.settings",
        "sync_logs_error_rules_relation": "elsewhere.other.rules",
    }
    recorder.run("settings elsewhere", *BUILD, settings=elsewhere)
    moved = {"sync_logs_lake_moved": True, "sync_logs_lake_path": "s3://bucket/lake"}
    recorder.run("moved lake", *BUILD, settings=moved)
    recorder.forget()
    recorder.run("refused: no files", *BUILD, has_files=False)
    for name, value in {
        "sync_logs_file_format": "parquet",
        "sync_logs_lake_path": "lake",
        "sync_logs_python_models": True,
    }.items():
        recorder.run(f"refused: {name}", *BUILD, settings={name: value})


def record_without_lake(recorder: Recorder) -> None:
    """Builds of a project that has only tables of vendors, and its doctor."""
    recorder.run("without a lake: first build", *BUILD)
    recorder.run("without a lake: idle build", *BUILD, has_news=False)
    recorder.run("without a lake: doctor", "run-operation", "sync_logs_doctor")


def _is_shown(event: Any) -> bool:
    """Whether dbt shows an event in the terminal."""
    return str(event.info.level) in ("info", "warn", "error")


def _make_old(recorder: Recorder) -> None:
    """A state of version 11, without a column, and with the facts of a source in each file."""
    relations = recorder.warehouse.catalog.relations
    current = relations[f"{STATE}.sync_load_current"]
    older = "11 as schema_version"
    current.definition = re.sub(r"\d+ as schema_version", older, current.definition)
    files = relations[f"{STATE}.int_files__landed"]
    files.columns = [column for column in files.columns if column[0] != "deleted_row_count"]
    facts = [(name, "string") for name in ("source_name", "vendor", "payload_kind")]
    files.columns += [*facts, ("logs_invalid_records", "boolean")]


def main() -> None:
    """Record, and write `recorded.json` into the folder."""
    project, folder = map(Path, sys.argv[1:])
    os.environ.setdefault("DBT_SEND_ANONYMOUS_USAGE_STATS", "false")
    settings = {"sync_logs_sources": SOURCES}
    recorder = Recorder(project, project / "profiles", folder, settings=settings)
    record_all(recorder)
    without_lake = Recorder(
        *(project, project / "profiles", folder / "without_lake"),
        settings={"sync_logs_sources": SOURCES[1:], "sync_logs_lake_path": "/no/volume"},
    )
    record_without_lake(without_lake)
    manifest = recorder.manifest.writable_manifest().to_dict()
    written = folder / "recorded.json"
    written.write_text(
        json.dumps(
            {
                "outcomes": [*recorder.outcomes, *without_lake.outcomes],
                "sent": [*recorder.warehouse.sent, *without_lake.warehouse.sent],
                "compiled": recorder.compiled,
                "unanswered": sorted(set(recorder.warehouse.unanswered)),
                "operations": _operations(manifest),
                "nodes": {
                    unique_id: {
                        "resource_type": node["resource_type"],
                        "language": node.get("language"),
                    }
                    for unique_id, node in manifest["nodes"].items()
                },
            }
        )
    )
    print(written)


def _operations(manifest: dict[str, Any]) -> list[str]:
    """The operations of the project: the macros that check arguments of `--args`."""
    return sorted(
        macro["name"]
        for macro in manifest["macros"].values()
        if macro["package_name"] == "sync_logs"
        and "macro.sync_logs.check_operation" in macro["depends_on"]["macros"]
    )


if __name__ == "__main__":
    main()
