"""The configuration of a load: frozen, checked when created, independent of Spark."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sync_logs_loader.errors import ConfigError
from sync_logs_loader.schemas import (
    CONSTANT_COLUMNS,
    INTERNAL_ID_COLUMN,
    METADATA_BASE_KEYS,
    METADATA_EXTENSION_KEYS,
    METADATA_IDS,
    ORGANIZATION_COLUMN,
    RECORD_SCHEMA,
    RUN_COLUMN,
    SYNC_COLUMN,
    Generation,
)

DEFAULT_BATCH_SIZE = 10_000
MAX_BATCH_SIZE = 100_000

# Ids become folder names. Path separators, characters that Hadoop reads as a pattern or a URL
# scheme, and leading characters that every Spark reader skips as hidden are refused.
_PATH_NAME = re.compile(r"[^\s/\\:*?{}\[\]%\"'<>|._][^\s/\\:*?{}\[\]%\"'<>|]*")

MAPPABLE_COLUMNS = (
    *RECORD_SCHEMA.fieldNames(),
    ORGANIZATION_COLUMN,
    SYNC_COLUMN,
    RUN_COLUMN,
    INTERNAL_ID_COLUMN,
)


def check_path_name(value: str, what: str) -> str:
    """Return `value` if it can name a folder or file of the lake, else raise `ConfigError`."""
    if not _PATH_NAME.fullmatch(value):
        raise ConfigError(
            f"Expected {what} that can be a folder name (no white space, slashes, quotes or any of "
            f": * ? {{ }} [ ] % < > |, and no leading '.' or '_'), but got {value!r}. "
            "Rename it in the log or give it as an option."
        )
    return value


def check_metadata(values: Mapping[str, object]) -> None:
    """Raise `ConfigError` if a key is unknown to `metadata.json` or is an id."""
    allowed = (*METADATA_BASE_KEYS, *METADATA_EXTENSION_KEYS)
    for key in values:
        if key in METADATA_IDS:
            raise ConfigError(
                f"Expected no metadata value for {key!r}: ids come from the run itself. "
                "Give it as an option or as a column of the log."
            )
        if key not in allowed:
            names = ", ".join(name for name in allowed if name not in METADATA_IDS)
            raise ConfigError(f"Expected a metadata key out of {names}, but got {key!r}.")


@dataclass(frozen=True, order=True)
class RunKey:
    """The three ids that identify a run of the lake; each must be a valid folder name."""

    organization_id: str
    sync_id: str
    sync_run_id: str

    def __post_init__(self) -> None:
        check_path_name(self.organization_id, "an organization id")
        check_path_name(self.sync_id, "a sync id")
        check_path_name(self.sync_run_id, "a sync run id")


@dataclass(frozen=True)
class LoadConfig:
    """How a log becomes runs of the lake.

    `columns` maps canonical names to the names in the log; `values` gives columns that the log
    lacks the same text in every row. Ids that are None are read from the
    columns `organization_id`, `sync_configuration_id` (or `sync_id`) and `sync_run_id`.
    `metadata` applies to every run of the load. `run_metadata` applies to single runs and takes
    precedence; None in it means that the run gets no `metadata.json`.
    Raises `ConfigError` for values that the lake does not allow.
    """

    lake: str
    organization_id: str | None = None
    sync_id: str | None = None
    sync_run_id: str | None = None
    batch_size: int = DEFAULT_BATCH_SIZE
    batch_type: str = "records_updated"
    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, object] = field(default_factory=dict)
    run_metadata: Mapping[RunKey, Mapping[str, object] | None] = field(default_factory=dict)
    write_metadata: bool = True
    generation: Generation = Generation.RUN_IDS

    def __post_init__(self) -> None:
        if not 1 <= self.batch_size <= MAX_BATCH_SIZE:
            raise ConfigError(
                f"Expected a batch size from 1 to {MAX_BATCH_SIZE}, but got {self.batch_size}. "
                f"Leave it out for {DEFAULT_BATCH_SIZE}."
            )
        check_path_name(self.batch_type, "a batch type")
        for what, value in (
            ("an organization id", self.organization_id),
            ("a sync id", self.sync_id),
            ("a sync run id", self.sync_run_id),
        ):
            if value is not None:
                check_path_name(value, what)
        for canonical in self.columns:
            if canonical not in MAPPABLE_COLUMNS:
                raise ConfigError(
                    f"Expected a column mapping for one of {', '.join(MAPPABLE_COLUMNS)}, "
                    f"but got {canonical!r}. Write it as CANONICAL=NAME_IN_THE_LOG."
                )
        for canonical in self.values:
            if canonical not in CONSTANT_COLUMNS or canonical in self.columns:
                raise ConfigError(
                    f"Expected a value for one of {', '.join(CONSTANT_COLUMNS)} that is not mapped "
                    f"to a column, but got {canonical!r}. Write it as CANONICAL=TEXT."
                )
        for values in (self.metadata, *self.run_metadata.values()):
            check_metadata(values or {})

    @property
    def single_run(self) -> RunKey | None:
        """The run that all rows belong to, or None if a column of the log has it."""
        if self.organization_id and self.sync_id and self.sync_run_id:
            return RunKey(self.organization_id, self.sync_id, self.sync_run_id)
        return None
