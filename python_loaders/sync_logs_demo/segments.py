"""Queries of the demo that do not return a table as it is: audiences, events, an extra column."""

from collections.abc import Callable
from datetime import date, timedelta

from sync_logs_demo.source import (
    Fields,
    SourceRow,
    countries,
    fault,
    roll,
    table,
    version,
    zones,
)

FIRST_DAY = date(2026, 10, 1)
MEMBER_SCORE = 45
FIRST_EXPORTED_RUN = 11


def exported_zones(run: int) -> list[SourceRow]:
    """Time zones; later runs add the day of the export, so each of them sends every row."""
    if run < FIRST_EXPORTED_RUN:
        return zones(run)
    exported_on = _day_of(run)
    return [SourceRow(row.key, {**row.fields, "exported_on": exported_on}) for row in zones(run)]


def zone_audience(run: int) -> list[SourceRow]:
    """Time zones in demand, each in a treatment or a control group."""
    return [
        SourceRow(
            row.key,
            {
                "zone": row.key,
                "country_code": row.fields["country_code"],
                "score": score,
                "slot": slot,
                "split_group": "treatment" if roll(row.key, "group") % 2 else "control",
            },
        )
        for row, score, slot in _members(zones, "zones", "zone", run)
    ]


def country_audience(run: int) -> list[SourceRow]:
    """Countries in demand."""
    return [
        SourceRow(
            row.key,
            {"code": row.key, "name": row.fields["name"], "score": score, "slot": slot},
        )
        for row, score, slot in _members(countries, "countries", "code", run)
    ]


def _members(
    rows_at: Callable[[int], list[SourceRow]], table_name: str, key: str, run: int
) -> list[tuple[SourceRow, int, str]]:
    """Members with score and slot. Two neighbours share a pair of slots and move up in it.

    A new member takes the slot of a neighbour that leaves or moves in the same run. If it is sent
    first, it is refused until the neighbour has left the slot.
    """
    positions = {row[key]: position for position, row in enumerate(table(table_name))}
    scored = [
        (row, str(row.key), roll(row.key, "score", version(str(row.key), "score", run, 9)) % 100)
        for row in rows_at(run)
    ]
    members = {name for _, name, score in scored if score >= MEMBER_SCORE}
    by_position = {positions[name] for name in members}
    found = []
    for row, name, score in scored:
        if name not in members:
            continue
        position = positions[name]
        is_second = position % 2 == 1 and position - 1 in by_position
        slot = f"{position // 2}-{'b' if is_second else 'a'}"
        is_faulty = fault(name, run, ("bad score",), share=14) is not None
        found.append((row, score + 100 if is_faulty else score, slot))
    return found


def element_prices(run: int) -> list[SourceRow]:
    """Quotes for some elements on the run's day; an element is quoted on several days."""
    rows = []
    quoted_on = _day_of(run)
    for element in table("elements"):
        symbol = element["symbol"]
        if roll(symbol, "quoted", run) % 4:
            continue
        price: float | None = 1 + roll(symbol, "price", run) % 10_000 / 100
        trouble = roll(symbol, "trouble", run) % 16
        if trouble == 0:
            price = None
        elif trouble == 1:
            price = -price if price is not None else None
        fields: Fields = {"symbol": symbol, "quoted_on": quoted_on, "price": price}
        rows.append(SourceRow(symbol, fields))
        if trouble == 2:
            # The same quote twice: the destination refuses the second, no earlier check does.
            rows.append(SourceRow(symbol, dict(fields)))
    return rows


def repaired_price(row: SourceRow) -> SourceRow:
    """A quote after its source was fixed: with a positive price."""
    price = row.fields["price"]
    repaired = -price if isinstance(price, float) else roll(row.key, "repaired") % 100 + 1.0
    return SourceRow(row.key, {**row.fields, "price": repaired})


def _day_of(run: int) -> str:
    return (FIRST_DAY + timedelta(days=run - 1)).isoformat()
