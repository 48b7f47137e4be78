"""A state as version 14 had it: files, runs and answers say themselves which source they are of."""

from pyspark.sql import SparkSession

from conftest import Warehouse
from helpers.old_state import commit

SOURCES = "int_sources__known"
SHOWN = {"source_name": "string", "vendor": "string"}
FACTS = {**SHOWN, "payload_kind": "string", "logs_invalid_records": "boolean"}
IN_COLUMNS = {
    **dict.fromkeys(("int_files__planned", "int_files__landed"), FACTS),
    **dict.fromkeys(("int_runs__planned", "int_runs__published"), FACTS),
    **dict.fromkeys(("int_days__counted", "int_syncs__counted"), SHOWN),
    **dict.fromkeys(("int_errors__counted", "int_error_categories__counted"), SHOWN),
}


def write_columns(built: Warehouse) -> None:
    """Publish the committed load once more, with these columns and without the table of sources."""
    session = SparkSession.builder.getOrCreate()
    state = f"{built.schema}_state"
    (row,) = session.table(f"{state}.sync_load_current").collect()
    load, copy = row["load_id"], f"{row['load_id']}c"
    for one in session.catalog.listTables(state):
        own = session.table(f"{state}.{one.name}").columns
        if one.tableType == "VIEW" or "load_id" not in own or one.name == SOURCES:
            continue
        facts = IN_COLUMNS.get(one.name, {})
        if facts:
            added = ", ".join(f"{name} {kind}" for name, kind in facts.items())
            session.sql(f"alter table {state}.{one.name} add columns ({added})")
        own.remove("load_id")
        values = [*(f"copied.{name}" for name in own), *(f"sources.{name}" for name in facts)]
        joined = (
            f"left join {state}.{SOURCES} as sources on sources.load_id = '{load}' "
            "and copied.organization_id <=> sources.organization_id"
            if facts
            else ""
        )
        session.sql(
            f"insert into {state}.{one.name} partition (load_id = '{copy}') "
            f"({', '.join([*own, *facts])}) select {', '.join(values)} "
            f"from {state}.{one.name} as copied {joined} where copied.load_id = '{load}'"
        )
    session.sql(f"drop table {state}.{SOURCES}")
    commit(built.schema, f"'{copy}' as load_id, 14 as schema_version, '{row['words']}' as words")
