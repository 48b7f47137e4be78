"""`metadata.json` of a run. The design explains its keys: section 3 of the lake's layout."""

import json
from collections.abc import Mapping

from sync_logs_loader.config import LoadConfig, RunKey
from sync_logs_loader.schemas import METADATA_BASE_KEYS, METADATA_EXTENSION_KEYS


def metadata_values(config: LoadConfig, run: RunKey) -> dict[str, object] | None:
    """The values for one run; its own take precedence over the load's. None: write no file."""
    values = config.run_metadata.get(run, {})
    if values is None or not config.write_metadata:
        return None
    return {**config.metadata, **values}


def metadata_text(
    run: RunKey,
    values: Mapping[str, object],
    started_at: str | None = None,
    payload_schema: Mapping[str, str] | None = None,
) -> str:
    """The JSON text of a run. It has every base key, null if unknown, and the given extensions.

    `started_at` (ISO 8601, UTC) and `payload_schema` come from the records; `values` override them.
    """
    known: dict[str, object] = {
        "sync_run_started_at": _shorten(started_at),
        "record_payload_schema": dict(payload_schema or {}),
        **values,
        "organization_id": run.organization_id,
        "sync_configuration_id": run.sync_id,
        "sync_run_id": run.sync_run_id,
    }
    document = {key: known.get(key) for key in METADATA_BASE_KEYS}
    document |= {key: known[key] for key in METADATA_EXTENSION_KEYS if key in known}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _shorten(started_at: str | None) -> str | None:
    return started_at.replace(".000000Z", "Z") if started_at else None
