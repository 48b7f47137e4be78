"""The content of a run's `metadata.json`, read tolerantly (decision R15)."""

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from .json_texts import JsonObject, payload_fields, read_object, value_text
from .lake import FIRST_TIME

ISO_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
    r"(Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)


@dataclass(frozen=True)
class RunMetadata:
    """The facts of a run that the tables use; None if the file lacks them or is broken."""

    source_id: str | None = None
    source_object_id: str | None = None
    destination_id: str | None = None
    destination_type: str | None = None
    destination_object_id: str | None = None
    sync_run_started_at: datetime | None = None
    sync_run_finished_at: datetime | None = None
    sync_run_status: str | None = None
    sync_run_error: str | None = None
    primary_key: str | None = None
    model_id: str | None = None
    model_name: str | None = None
    split_group_field: str | None = None
    # A JSON text: the type of each field of the payloads.
    record_payload_schema: str | None = None


def read_metadata(text: str | None) -> RunMetadata:
    """Read the text of a `metadata.json`; anything but a JSON object gives no facts."""
    content = (read_object(text) or JsonObject()).first()

    def value(key: str, is_object: bool = False) -> str | None:
        read = value_text if is_object else _scalar_text
        found = read(content.get(key))
        return found if found is not None else read(content.get(camel_case(key)))

    return RunMetadata(
        source_id=value("source_id"),
        source_object_id=value("source_object_id"),
        destination_id=value("destination_id"),
        destination_type=value("destination_type"),
        destination_object_id=value("destination_object_id"),
        sync_run_started_at=read_time(value("sync_run_started_at")),
        sync_run_finished_at=read_time(value("sync_run_finished_at")),
        sync_run_status=value("sync_run_status"),
        sync_run_error=value("sync_run_error"),
        primary_key=value("primary_key"),
        model_id=value("model_id"),
        model_name=value("model_name"),
        split_group_field=value("split_group_field"),
        record_payload_schema=value("record_payload_schema", is_object=True),
    )


def read_time(text: str | None) -> datetime | None:
    """Read an ISO 8601 time; without a zone it is UTC, and an invalid time is null."""
    match = None if text is None else ISO_TIME.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        found = datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "").ljust(6, "0")[:6]),
            tzinfo=_zone(zone),
        ).astimezone(timezone.utc)
        # programs that know no time write the first day of all
        return None if found < FIRST_TIME else found
    except (ValueError, OverflowError):
        # an offset moved it out of the years 1 to 9999
        return None


def split_group(payload: str | None, field: str | None) -> str | None:
    """Return the value of the split field in a payload, as text (decision R12)."""
    return None if field is None else (payload_fields(payload) or {}).get(field)


def _zone(text: str | None) -> timezone:
    if text is None or text == "Z":
        return timezone.utc
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


def _scalar_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    # A bool is an int in Python, but neither a text nor a number in JSON.
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return json.dumps(value)
    return None


def camel_case(key: str) -> str:
    """Return a key as a vendor may spell it, too."""
    first, *others = key.split("_")
    return first + "".join(word.capitalize() for word in others)
