"""The schemas of the lake: record columns by generation, fact columns, keys of metadata.json."""

from enum import Enum

from pyspark.sql import types as T

DATASETS_FOLDER = "sync_tracking_datasets"
FACTS_FOLDER = "metadata"
METADATA_FILE = "metadata.json"

RECORD_SCHEMA = T.StructType(
    [
        T.StructField("identifier", T.StringType()),
        T.StructField("record_payload", T.StringType()),
        T.StructField("operation", T.StringType()),
        T.StructField("status", T.StringType()),
        T.StructField("status_message", T.StringType()),
        T.StructField("batch_started_at", T.TimestampType()),
        T.StructField("batch_ended_at", T.TimestampType()),
    ]
)
"""One row per logged row. Times are UTC instants; `record_payload` is the text of a JSON object."""

COLUMN_ALIASES = {
    "identifier": ("record_identifier", "row_id"),
    "record_payload": ("fields",),
    "status_message": ("failure_reason", "failed_reason", "error_reason"),
    "batch_ended_at": ("batch_completed_at",),
    "sync_configuration_id": ("sync_id",),
}
"""Vendors' names for a column, the preferred one first; the lake's own name takes precedence."""
HIGHTOUCH_KEY = "row_id"
"""`fields` is a payload only next to this column: alone it can be any column of a flat log."""
CONSTANT_COLUMNS = ("operation", "status", "status_message", "batch_started_at", "batch_ended_at")
"""Columns that can get one value for every row if the log lacks them."""
REQUIRED_RECORD_COLUMNS = ("identifier", "operation", "status")
TIME_COLUMNS = ("batch_started_at", "batch_ended_at")
INTERNAL_ID_COLUMN = "census_sync_tracking_internal_id"
ORGANIZATION_COLUMN = "organization_id"
SYNC_COLUMN = "sync_configuration_id"
SYNC_COLUMN_ALIAS = "sync_id"
RUN_COLUMN = "sync_run_id"


class Generation(Enum):
    """Which columns a batch file has besides `RECORD_SCHEMA`; the vendor has written all three."""

    INTERNAL_ID = "internal_id"
    """Oldest: a unique row id, `census_sync_tracking_internal_id`."""
    PLAIN = "plain"
    """Middle: nothing else."""
    RUN_IDS = "run_ids"
    """Newest: `sync_configuration_id` and `sync_run_id`, the same as in the path."""

    @property
    def extra_columns(self) -> tuple[str, ...]:
        """Names of the string columns that this generation adds, in file order."""
        return {
            Generation.INTERNAL_ID: (INTERNAL_ID_COLUMN,),
            Generation.PLAIN: (),
            Generation.RUN_IDS: (SYNC_COLUMN, RUN_COLUMN),
        }[self]


FACT_COLUMNS: dict[str, tuple[str, ...]] = {
    "source_objects": (
        "id",
        "type",
        "name",
        "model_id",
        "business_object_id",
        "filter_segment_id",
        "cohort_id",
    ),
    "destinations": ("id", "type", "name"),
    "destination_objects": ("id", "type", "name"),
}
"""Columns of each fact file, all strings; one row per id of an organisation."""

METADATA_IDS = ("organization_id", "sync_configuration_id", "sync_run_id")
METADATA_BASE_KEYS = (
    "organization_id",
    "workspace_id",
    "sync_configuration_id",
    "sync_run_id",
    "source_id",
    "source_type",
    "source_object_id",
    "source_object_type",
    "destination_id",
    "destination_type",
    "destination_object_id",
    "destination_object_type",
    "sync_run_started_at",
    "record_payload_schema",
)
METADATA_EXTENSION_KEYS = (
    "sync_run_finished_at",
    "sync_run_status",
    "sync_run_error",
    "primary_key",
    "model_id",
    "model_name",
    "split_group_field",
)
