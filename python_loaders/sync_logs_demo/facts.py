"""Metadata and facts of the demo: what is known about its runs and objects besides their rows."""

from datetime import datetime, timedelta

from sync_logs_demo.simulation import DemoRun
from sync_logs_demo.syncs import ATLAS, BOREALIS, DEMO_SYNCS, DemoSync

_WORKSPACES = {ATLAS: "71", BOREALIS: "72"}
_SOURCE_ID = "11"
_OBJECT_TYPE = "model"
_DESTINATION_NAMES = {
    (ATLAS, "21"): "Atlas CRM",
    (ATLAS, "22"): "Atlas file drop",
    (BOREALIS, "21"): "Borealis ads",
    (BOREALIS, "22"): "Borealis file drop",
}


def run_metadata(run: DemoRun) -> dict[str, object]:
    """Values of a run's `metadata.json`; a run in progress has no end and no status."""
    sync = run.sync
    values: dict[str, object] = {
        "workspace_id": _WORKSPACES[sync.organization_id],
        "source_id": _SOURCE_ID,
        "source_type": "spark",
        "source_object_id": sync.source_object_id,
        "source_object_type": _OBJECT_TYPE,
        "destination_id": sync.destination_id,
        "destination_type": sync.destination_type,
        "destination_object_id": sync.destination_object_id,
        "destination_object_type": sync.table,
        "sync_run_started_at": _iso(sync.started_at(run.number)),
    }
    if not sync.has_extensions:
        return values
    values |= {
        "primary_key": sync.key,
        "model_id": _model_id(sync),
        "model_name": sync.model_name,
    }
    if sync.split_group_field is not None:
        values["split_group_field"] = sync.split_group_field
    if run.is_finished:
        values |= _outcome(run)
    return values


def _outcome(run: DemoRun) -> dict[str, object]:
    ended_at = max(
        (row.batch_ended_at for row in run.rows), default=run.sync.started_at(run.number)
    )
    is_clean = all(row.status == "succeeded" for row in run.rows)
    outcome: dict[str, object] = {
        "sync_run_finished_at": _iso(ended_at + timedelta(seconds=3)),
        "sync_run_status": "completed" if is_clean else "completed with errors",
    }
    if run.failure is not None:
        outcome |= {"sync_run_status": "failed", "sync_run_error": run.failure}
    return outcome


def demo_facts(kind: str) -> list[dict[str, str]]:
    """Rows of one fact file for both organisations, with `organization_id`; ids repeat in both."""
    if kind == "source_objects":
        return [
            {
                "organization_id": sync.organization_id,
                "id": sync.source_object_id,
                "type": _OBJECT_TYPE,
                "name": sync.model_name,
                "model_id": _model_id(sync),
            }
            for sync in DEMO_SYNCS
        ]
    if kind == "destination_objects":
        return [
            {
                "organization_id": sync.organization_id,
                "id": sync.destination_object_id,
                "type": sync.table,
                "name": sync.table.replace("_", " ").capitalize(),
            }
            for sync in DEMO_SYNCS
        ]
    types = {sync.destination_id: sync.destination_type for sync in DEMO_SYNCS}
    return [
        {"organization_id": organization, "id": id_, "type": types[id_], "name": name}
        for (organization, id_), name in _DESTINATION_NAMES.items()
    ]


def _model_id(sync: DemoSync) -> str:
    return f"5{sync.source_object_id[1:]}"


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
