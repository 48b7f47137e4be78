"""The source side of the demo: three tables that change from run to run by a fixed rule.

Every choice is a checksum of names and the run's number, so it never depends on the clock, on
chance or on the order of calls. Run 0 is the state before the first run.
"""

import csv
import json
import zlib
from dataclasses import dataclass
from functools import cache
from importlib import resources

Fields = dict[str, object]


@dataclass(frozen=True)
class SourceRow:
    """One row of a query: its key (None if the source has none) and its fields."""

    key: str | None
    fields: Fields

    @property
    def payload(self) -> str:
        """The fields as JSON text, in the order of the query's columns."""
        return json.dumps(self.fields, ensure_ascii=False, separators=(",", ":"))


@cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a committed table, in file order, all values as text."""
    text = resources.files(__package__).joinpath(f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


@cache
def roll(*parts: object) -> int:
    """A fixed number for a sequence of names and numbers."""
    # The low bits of a CRC depend on the last digits of the name; the product's high bits do not.
    checksum = zlib.crc32("/".join(map(str, parts)).encode("utf-8"))
    return (checksum * 2654435761 % 2**32) >> 8


def is_present(key: str, run: int) -> bool:
    """Most rows exist from the start; some arrive later, some leave, and some of those return."""
    arrives = 0 if roll(key, "arrives") % 10 < 8 else 1 + roll(key, "arrival") % 12
    if run < arrives:
        return False
    if roll(key, "leaves") % 12:
        return True
    leaves = arrives + 3 + roll(key, "exit") % 8
    is_back = roll(key, "returns") % 2 == 0 and run >= leaves + 3
    return run < leaves or is_back


def version(key: str, field: str, run: int, period: int) -> int:
    """How often a field has changed up to a run, if it changes about once in `period` runs."""
    return sum(1 for past in range(1, run + 1) if roll(key, field, past) % period == 0)


def fault(key: str, run: int, kinds: tuple[str, ...], share: int = 9) -> str | None:
    """What is wrong with a row: one in `share` rows has one fault, for two to seven runs."""
    if roll(key, "fault") % share:
        return None
    start = roll(key, "fault starts") % 11
    if not start <= run < start + 2 + roll(key, "fault lasts") % 6:
        return None
    return kinds[roll(key, "fault kind") % len(kinds)]


def shared_value(position: int, name: str, partner: str, run: int, period: int) -> str:
    """A value that the rows of a pair hand over: the first takes the old value of the second.

    Rows are sent in the order of keys, so the first one is sent first, and a UNIQUE constraint
    refuses it until the second has its new value.
    """
    pair = position // 2
    handovers = [past for past in range(1, run + 1) if roll("handover", pair, past) % period == 0]
    if not handovers:
        return name
    second, earlier = (partner, handovers[:-1]) if position % 2 == 0 else (name, handovers)
    return f"{second}.{earlier[-1]}" if earlier else second


def countries(run: int) -> list[SourceRow]:
    """One row per country: mailbox, seats, activity and its time zones."""
    names = [row["code"] for row in table("countries")]
    zones: dict[str, list[str]] = {}
    for zone in table("zones"):
        zones.setdefault(zone["country_code"], []).append(zone["zone"])
    rows = []
    for position, row in enumerate(table("countries")):
        code = row["code"]
        if not is_present(code, run):
            continue
        partner = names[min(position + 1, len(names) - 1)]
        mailbox = shared_value(position, code, partner, run, period=25).lower()
        seats = 10 + roll(code, "seats", version(code, "seats", run, 14)) % 480
        fields: Fields = {
            "code": code,
            "name": row["name"],
            "contact_email": f"{mailbox}@example.com",
            "seats": seats,
            "is_active": roll(code, "active", version(code, "active", run, 20)) % 5 > 0,
            "zones": zones.get(code, []),
        }
        match fault(code, run, ("no email", "bad email", "no seats", "taken email")):
            case "no email":
                fields["contact_email"] = None
            case "bad email":
                fields["contact_email"] = mailbox
            case "no seats":
                fields["seats"] = -seats
            case "taken email":
                fields["contact_email"] = f"{names[position - 1].lower()}@example.com"
        rows.append(SourceRow(code, fields))
    return rows


def zones(run: int) -> list[SourceRow]:
    """One row per time zone: where it is, its label, its priority."""
    names = [row["zone"].rpartition("/")[2].replace("_", " ") for row in table("zones")]
    rows = []
    for position, row in enumerate(table("zones")):
        zone = row["zone"]
        if not is_present(zone, run):
            continue
        partner = names[min(position + 1, len(names) - 1)]
        fields: Fields = {
            "zone": zone,
            "country_code": row["country_code"],
            "latitude": float(row["latitude"]),
            "longitude": float(row["longitude"]),
            "label": shared_value(position, names[position], partner, run, period=25),
            "priority": 1 + roll(zone, "priority", version(zone, "priority", run, 15)) % 9,
            "comments": row["comments"] or None,
        }
        match fault(zone, run, ("no label", "bad latitude", "long country", "no priority")):
            case "no label":
                fields["label"] = None
            case "bad latitude":
                fields["latitude"] = 90 + abs(float(row["latitude"])) + 1
            case "long country":
                fields["country_code"] = f"{row['country_code']}X"
            case "no priority":
                fields["priority"] = 0
        rows.append(SourceRow(zone, fields))
    return rows


def elements(run: int) -> list[SourceRow]:
    """One row per chemical element, with a stock that changes."""
    rows = []
    for row in table("elements"):
        symbol = row["symbol"]
        if not is_present(symbol, run):
            continue
        fields: Fields = {
            "symbol": symbol,
            "number": int(row["number"]),
            "name": row["name"],
            "atomic_mass": float(row["atomic_mass"]),
            "stock": roll(symbol, "stock", version(symbol, "stock", run, 5)) % 1000,
        }
        match fault(symbol, run, ("no mass", "zero mass", "taken number")):
            case "no mass":
                fields["atomic_mass"] = None
            case "zero mass":
                fields["atomic_mass"] = 0.0
            case "taken number":
                fields["number"] = max(1, int(row["number"]) - 1)
        rows.append(SourceRow(symbol, fields))
    return rows
