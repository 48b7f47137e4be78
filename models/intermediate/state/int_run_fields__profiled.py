"""What the payloads of the replayed runs have in each of their fields."""

from typing import Any

from dbt_sync_logs import payload_profile


def model(dbt: Any, session: Any) -> Any:
    """One row per run and field, and one without a field per run that has payloads."""
    of_load = f"load_id = '{dbt.config.get('load_id')}'"
    return payload_profile.profiled(
        dbt.ref("int_changelog__built").where(of_load),
        dbt.ref("int_runs__planned").where(f"{of_load} and is_replayed"),
    )
