"""Raw words of a log mapped to canonical ones (docs/semantics.md; decisions R1 and R2)."""

WHITE_SPACE = " \t\n\r\f\v"

OPERATIONS = {
    "insert": "insert",
    "create": "insert",
    "created": "insert",
    "inserted": "insert",
    "add": "insert",
    "upsert": "upsert",
    "update": "update",
    "updated": "update",
    "change": "update",
    "append": "append",
    "mirror": "mirror",
    "delete": "delete",
    "deleted": "delete",
    "remove": "delete",
    "removed": "delete",
}

# A source that reports an op_type has these words beside the operations. A lake does not (R1).
OP_TYPES = {"added": "upsert", "changed": "upsert", "removed": "delete"}

STATUSES = {
    "succeeded": "succeeded",
    "rejected": "failed",
    "failed": "failed",
    "null": "invalid_null_key",
    "duplicate": "invalid_duplicate_key",
    "aborted": "not_attempted",
    "not_attempted": "not_attempted",
}

DISPLAY_STATUSES = {
    "succeeded": "Success",
    "failed": "Rejected",
    "invalid_null_key": "Invalid",
    "invalid_duplicate_key": "Invalid",
    "not_attempted": "Not attempted",
    "unknown": "Unknown",
}

# Words of a run that is over. Words of one that goes on are like no word (R16).
RUN_STATUSES = {
    "succeeded": "succeeded",
    "success": "succeeded",
    "completed": "succeeded",
    "completed with errors": "succeeded",
    "partial": "succeeded",
    "warning": "succeeded",
    "healthy": "succeeded",
    "failed": "failed",
    "error": "failed",
    "aborted": "failed",
    "cancelled": "failed",
    "canceled": "failed",
    "skipped": "failed",
    "incomplete": "failed",
    "interrupted": "failed",
}

REACHED = ("succeeded", "failed")
INVALID = ("invalid_null_key", "invalid_duplicate_key")


def map_operation(raw: str | None) -> str:
    """Map a logged operation; an unknown word is `unknown`."""
    return OPERATIONS.get(_normalised(raw), "unknown")


def map_reported_op_type(raw: str | None) -> tuple[str, str | None]:
    """Map a reported op_type to its operation, and to itself if it is one of the three."""
    word = _normalised(raw)
    if word in OP_TYPES:
        return OP_TYPES[word], word
    return map_operation(raw), None


def map_status(raw: str | None, identifier: str | None) -> str:
    """Map a logged status; if the key is null too, a null status means a null key."""
    if raw is None:
        return "invalid_null_key" if identifier is None else "unknown"
    return STATUSES.get(_normalised(raw), "unknown")


def map_run_status(raw: str | None) -> str | None:
    """Map the status of a run that is over to succeeded or failed; None for any other word."""
    return RUN_STATUSES.get(_normalised(raw))


def _normalised(raw: str | None) -> str:
    return "" if raw is None else raw.strip(WHITE_SPACE).lower()
