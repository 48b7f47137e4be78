"""What is known about a source of sync logs (docs/sources.md)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A source: its name in the settings, and what every row of it has in common."""

    name: str
    vendor: str
    # What the payload of a row is; None if the source logs no payloads.
    payload_kind: str | None
    logs_invalid_records: bool
    logs_succeeded_records: bool = True


# The source of a project that sets no sources.
LAKE = Source("lake", "census", payload_kind="source_record", logs_invalid_records=True)
