"""Maps the columns of a log to those of the lake, and decides what happens to the others."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sync_logs_loader.config import LoadConfig
from sync_logs_loader.errors import ConfigError, InvalidRecordsError, MissingColumnError
from sync_logs_loader.schemas import (
    COLUMN_ALIASES,
    CONSTANT_COLUMNS,
    HIGHTOUCH_KEY,
    INTERNAL_ID_COLUMN,
    ORGANIZATION_COLUMN,
    RECORD_SCHEMA,
    REQUIRED_RECORD_COLUMNS,
    RUN_COLUMN,
    SYNC_COLUMN,
    SYNC_COLUMN_ALIAS,
    Generation,
)

KEY_COLUMNS = ("key_organization_id", "key_sync_id", "key_sync_run_id")
_IDS = (ORGANIZATION_COLUMN, SYNC_COLUMN, SYNC_COLUMN_ALIAS, RUN_COLUMN)
# Names that mean a column in one vendor's table and something else in another's.
_NOT_ALIASES = {
    "identifier": (
        "primary_key",
        "If primary_key holds the key of each record, and not the name of a column, say so: "
        "--column identifier=primary_key.",
    ),
    "operation": (
        "op_type",
        "op_type is none: its words (added, changed, removed) say what a record did. Add a column "
        "operation that has insert, update and delete instead.",
    ),
}


@dataclass(frozen=True)
class ColumnUse:
    """What happened to columns of a log whose names are not those of the lake."""

    renamed: tuple[tuple[str, str], ...] = ()
    """Vendors' names, each with the column of the lake that was read from it."""
    in_payload: tuple[str, ...] = ()
    """Columns of a log without a payload that became the payload."""
    unused: tuple[str, ...] = ()
    """Columns that are not in the lake at all."""


@dataclass(frozen=True)
class ColumnPlan:
    """The column of the log, or the constant, that each column of the lake comes from."""

    records: dict[str, str]
    constants: dict[str, str]
    key_columns: dict[str, str]
    key_values: dict[str, str]
    use: ColumnUse

    @property
    def used(self) -> list[str]:
        """Columns of the log whose values are needed, each once."""
        return list(dict.fromkeys([*self.key_columns.values(), *self.records.values()]))


def plan_columns(columns: Sequence[str], config: LoadConfig) -> ColumnPlan:
    """Match the names of a log with those of the lake; names are compared exactly.

    A mapping takes precedence over the lake's own name, which takes precedence over vendors' names.
    Raises `MissingColumnError` if a needed or an explicitly mapped column is absent, and
    `ConfigError` if two columns can be the identifier or a constant is given for a column.
    """
    if not columns:
        raise InvalidRecordsError(
            "Expected a log with rows, but the input is empty. Check the path and the format."
        )
    for canonical, source in config.columns.items():
        _require(source in columns, f"{canonical} (mapped to {source!r})", canonical, columns)
    found = {
        canonical: name
        for canonical in (*RECORD_SCHEMA.fieldNames(), INTERNAL_ID_COLUMN)
        if (name := _find(canonical, columns, config)) is not None
    }
    for canonical in config.values:
        if canonical in found:
            raise ConfigError(
                f"Expected no value for {canonical}, since the log has a column "
                f"{found[canonical]!r} for it. Leave --value {canonical} out."
            )
    for canonical in REQUIRED_RECORD_COLUMNS:
        _require(canonical in found or canonical in config.values, canonical, canonical, columns)
    if config.generation is Generation.INTERNAL_ID:
        _require(INTERNAL_ID_COLUMN in found, INTERNAL_ID_COLUMN, INTERNAL_ID_COLUMN, columns)
    key_columns, key_values = _plan_keys(columns, config)
    read = {name for canonical, name in found.items() if _is_written(canonical, config)}
    others = [name for name in columns if name not in read | set(key_columns.values())]
    # Ids of runs and rows say nothing about a record, so they are in no payload.
    fields = [name for name in others if name not in {*found.values(), *_IDS}]
    payload = fields if "record_payload" not in found else []
    use = ColumnUse(
        renamed=_renamed({**found, SYNC_COLUMN: key_columns.get(KEY_COLUMNS[1], "")}, config),
        in_payload=tuple(payload),
        unused=tuple(name for name in others if name not in payload),
    )
    records = {canonical: name for canonical, name in found.items() if name in read}
    return ColumnPlan(records, dict(config.values), key_columns, key_values, use)


def _find(canonical: str, columns: Collection[str], config: LoadConfig) -> str | None:
    if canonical in config.columns:
        return config.columns[canonical]
    if canonical in columns:
        return canonical
    taken = config.columns.values()
    names = [
        name for name in COLUMN_ALIASES.get(canonical, ()) if name in columns and name not in taken
    ]
    if canonical == "record_payload" and HIGHTOUCH_KEY not in columns:
        return None
    if canonical == "identifier" and len(names) > 1:
        raise ConfigError(
            f"Expected one column for the identifier, but the log has {' and '.join(names)}. "
            f"Choose one: --column identifier={names[0]}."
        )
    return names[0] if names else None


def _is_written(canonical: str, config: LoadConfig) -> bool:
    return canonical != INTERNAL_ID_COLUMN or config.generation is Generation.INTERNAL_ID


def _renamed(found: dict[str, str], config: LoadConfig) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, canonical)
        for canonical, name in found.items()
        if name in COLUMN_ALIASES.get(canonical, ()) and canonical not in config.columns
    )


def _plan_keys(columns: Sequence[str], config: LoadConfig) -> tuple[dict[str, str], dict[str, str]]:
    sources = (
        (config.organization_id, ORGANIZATION_COLUMN),
        (config.sync_id, SYNC_COLUMN),
        (config.sync_run_id, RUN_COLUMN),
    )
    key_columns, key_values = {}, {}
    for key, (value, canonical) in zip(KEY_COLUMNS, sources, strict=True):
        if value is not None:
            key_values[key] = value
            continue
        name = _find(canonical, columns, config)
        _require(name is not None, canonical, canonical, columns)
        key_columns[key] = str(name)
    return key_columns, key_values


def _require(found: bool, name: str, canonical: str, columns: Sequence[str]) -> None:
    if found:
        return
    ways = [f"map it (--column {canonical}=NAME_IN_THE_LOG)"]
    if canonical in CONSTANT_COLUMNS:
        ways.append(f"give all rows one value (--value {canonical}=TEXT)")
    if canonical in (ORGANIZATION_COLUMN, SYNC_COLUMN, RUN_COLUMN):
        ways.append("give the id as an option")
    other, hint = _NOT_ALIASES.get(canonical, ("", ""))
    raise MissingColumnError(
        f"Expected a column {name}, but the log has only: {', '.join(columns)}. "
        f"Add it to the log, or {', or '.join(ways)}.{f' {hint}' if other in columns else ''}"
    )
