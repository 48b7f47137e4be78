"""How values look on a page."""

import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from markupsafe import Markup, escape

from sync_logs_viewer.masks import HIDDEN
from sync_logs_viewer.payloads import pretty

NONE = "\u2013"
# Characters that are invisible or change how others look: control characters, direction marks,
# zero-width spaces. Tabs and line ends are visible enough.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
# rules of alerts whose value is a share
SHARES = ("rejection_rate", "invalid_rate", "mass_removal", "full_resync")
LONGEST = 200
# so many different values of a field are shown as a number, more of them as a share
FEW_VALUES = 10
# whole numbers up to it are exact as doubles
MOST_EXACT = 2**53
# a vendor may put a whole payload into each message
LONGEST_IN_LINK = 1_000


def text(value: object) -> Markup:
    """A text, with invisible characters written as their codes."""
    return Markup(UNSEEN.sub(_written_out, str(escape(str(value)))))


def short(value: object, longest: int = LONGEST) -> Markup:
    """A text, cut if it is long."""
    whole = str(value)
    return text(whole) if len(whole) <= longest else text(whole[:longest]) + Markup("…")


def identifier(value: str | None) -> Markup:
    """An identifier, with a word for null, empty and blank ones."""
    if value is None:
        return Markup('<span class="none">null</span>')
    if not value.strip():
        return Markup(f'<span class="none">{"empty" if not value else "blank"}</span>')
    return Markup(f"<bdi>{short(value)}</bdi>")


def fits(value: str) -> bool:
    """Whether a text is short enough for the links of a page with many rows."""
    return len(value) <= LONGEST_IN_LINK


def asked(reason: str | None) -> str | None:
    """A failure reason for an address: "" for none; left out if it is long or partly hidden."""
    if reason is not None and (HIDDEN in reason or not fits(reason)):
        return None
    return reason or ""


def payload(value: str) -> Markup:
    """A payload with a line for each field."""
    return text(pretty(value))


def moment(value: datetime | None) -> str:
    """A time (UTC), cut to seconds."""
    return value.replace(tzinfo=None).isoformat(" ", "seconds") if value else NONE


def exact(value: datetime | None) -> str:
    """A time in the format of addresses."""
    if value is None:
        return ""
    return f"{value.replace(tzinfo=None).isoformat()}Z"


def number(value: Any) -> str:
    """A whole number with commas."""
    return NONE if value is None else f"{int(value):,}"


def largest(value: Any) -> Markup:
    """A number that records have, or what a mask shows instead."""
    if value is None or isinstance(value, str):
        return text(NONE if value is None else value)
    is_whole = abs(value) < MOST_EXACT and value == round(value)
    return text(f"{round(value):,}" if is_whole else f"{value:.15g}")


def percent(value: float | None) -> str:
    """A share as a percentage. It is rounded to 0 % or 100 % only if it is exactly that."""
    if value is None:
        return NONE
    rounded = round(100 * value, 1)
    if rounded in (0, 100) and value not in (0, 1):
        return "> 99.9 %" if rounded else "< 0.1 %"
    return f"{rounded:g} %"


def different_values(field: Mapping[str, Any]) -> str:
    """How many different values a field has, if they are few; otherwise as a share of its values.

    The table has shares only, of counts that are exact as doubles: so is the number.
    """
    share = field["distinct_share"]
    if share is None:
        return NONE
    present = field["present_count"]
    count = round(share * (present - round(field["null_share"] * present)))
    return percent(share) if count > FEW_VALUES else f"{count} value{'s' if count > 1 else ''}"


def duration(seconds: float | None) -> str:
    """A time span: to the second if it is shorter than an hour, otherwise to the minute."""
    if seconds is None:
        return NONE
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min"


def figure(value: float, rule: str) -> str:
    """What the rule of an alert measures: a percentage if it is a share."""
    return percent(value) if rule in SHARES else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def hours(value: float | None) -> str:
    """A time span in hours: minutes if it is short, days if it is long."""
    if value is None:
        return NONE
    if value < 1:
        return f"{60 * value:.0f} min"
    return f"{value:.1f} h" if value < 48 else f"{value / 24:,.1f} days"


def as_data(value: object) -> object:
    """A value in the form that JSON needs."""
    if isinstance(value, datetime):
        return exact(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, float) and not math.isfinite(value):
        # JSON has no infinity
        return None
    if isinstance(value, Mapping):
        return {key: as_data(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [as_data(one) for one in value]
    return value


def _written_out(found: re.Match[str]) -> str:
    return f'<span class="unseen">U+{ord(found.group()):04X}</span>'
