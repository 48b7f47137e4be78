"""A history by hand in which every rule of alerts opens, worsens where it can, and is resolved.

The runs have few rows, so they need rules with low minimums. Sync `daily` has one fault after
another. Sync `weekdays` has alerts that scopes end and mute, patterns that are null or empty, and
alerts that are open in the end. Sync `mirror` replaces its records: once a run below the minimum
ends an alert, and once it leaves it as it is. Its last run is unsettled. Sync `rare` begins with
deletes of unknown records; it has a pattern that is below the threshold at first, a failure of 30
days, and a row that only mutes. Only sync `shaped` has payloads: their fields change, and one of
its runs has none.
"""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain

from .alert_rules import AlertRule
from .building import at, batch, row
from .lake import LoggedRow
from .random_lakes import History, Step
from .writing import LakeFile, TextFile, parquet

ORGANISATION = "alerting"
DAY = 24 * 60
# The first day of the lake is a Saturday; days are counted from the first Monday.
MONDAY_AT_9 = 2 * DAY + 9 * 60
HOUR = 60

ALERT_RULES = (
    AlertRule("rejection_rate", "warning", 0.3, 1),
    AlertRule("rejection_rate", "critical", 0.75, 1),
    AlertRule("rejection_rate", "off", organization_id=ORGANISATION, sync_id="weekdays"),
    # only mutes: both rows for all count
    AlertRule("rejection_rate", "warning", muted_until=at(365 * DAY), sync_id="rare"),
    AlertRule("invalid_rate", "warning", 0.2, 1),
    AlertRule("invalid_rate", "critical", 0.5, 1),
    AlertRule("new_error_pattern", "warning", 2),
    AlertRule("new_error_pattern", "critical", 4),
    AlertRule("record_count", "warning", 4, 1),
    AlertRule("record_count", "critical", 15, 1),
    AlertRule("mass_removal", "warning", None, 2),
    AlertRule("mass_removal", "critical", 0.7, 2),
    # as late as its data: not muted any more
    AlertRule(
        *("mass_removal", "warning"),
        muted_until=at(MONDAY_AT_9 + 53 * DAY + 11 * HOUR + 1),
        sync_id="mirror",
    ),
    AlertRule("full_resync", "warning", None, 3),
    AlertRule("full_resync", "critical", 0.9, 3),
    AlertRule("duration", "critical", 1.5, 1),
    AlertRule("duration", "warning", None, 30, organization_id=ORGANISATION),
    AlertRule("duration", "critical", 6, 30, organization_id=ORGANISATION),
    AlertRule("old_failures", "warning"),
    AlertRule("old_failures", "critical", 3),
    AlertRule("payload_schema", "warning"),
    AlertRule("payload_schema", "critical", 2),
    AlertRule("run_failed", "warning", 1, muted_until=at(365 * DAY), sync_id="weekdays"),
)

# A run: the day on which it starts, its rows, and how many minutes it lasts.
Words = dict[str, str]


def alerting_history() -> History:
    """Create the history; its rules are `ALERT_RULES`."""
    syncs = (_daily(), _weekdays(), _mirror(), _rare(), _shaped())
    runs = sorted(chain.from_iterable(syncs), key=lambda one: one[0])
    times = [at(MONDAY_AT_9 + int(day * DAY)) for day in (12.2, 25.1, 36.6, 45.2)]
    # half an hour after the last run, which is not settled yet
    times.append(runs[-1][0] + timedelta(minutes=31))
    steps = []
    after = at(0)
    for as_of in times:
        writes = [files for started_at, files in runs if after <= started_at < as_of]
        steps.append(Step(tuple(chain.from_iterable(writes)), (), as_of))
        after = as_of
    return History(tuple(chain.from_iterable(files for _, files in runs)), tuple(steps))


RunFiles = tuple[datetime, list[LakeFile]]


def _daily() -> list[RunFiles]:
    """A run each day at 9 with five members; the last ones are late."""
    five = [f"k{n}" for n in range(5)]
    twenty = [f"n{n}" for n in range(20)]
    new = [*(f"z{n}" for n in range(4)), *(f"y{n}" for n in range(3))]
    rows = {day: _rows(five) for day in (*range(36), 38, 39, 42, 43)}
    # rejected: two, four, one; all are sent again
    rows[10] = [*_rows(five[2:]), *_rows(five[:2], "rejected", "bad value")]
    rows[11] = [*_rows(five[4:]), *_rows(five[:4], "rejected", "bad value")]
    rows[12] = [*_rows(five[1:]), *_rows(five[:1], "rejected", "bad value")]
    # a duplicate of a record that succeeds is no failure of it
    rows[13] = [*_rows(five), *_rows(five[:2], "DUPLICATE")]
    rows[14] = [*_rows(five[:3]), *_rows([*five[:3], five[0]], "DUPLICATE")]
    rows[15] = [*_rows(five), *_rows(five[:1], "DUPLICATE")]
    # one row, then 25
    rows[16] = _rows(five[:1])
    rows[17] = _rows([*five, *twenty])
    # inserts, of which three, five and none were in: 32 members
    rows[19] = _rows([*five[:3], *new[:2]], operation="insert")
    rows[20] = _rows(five, operation="insert")
    rows[21] = _rows(new[2:], operation="insert")
    # 14 and 13 members leave
    rows[22] = _rows([*new, *twenty[:7]], operation="delete")
    rows[23] = _rows(twenty[7:], operation="delete")
    # three records fail and are old after seven days, until they are sent again
    rows[24] += _rows(["q0"], "rejected", "bad value")
    rows[27] += _rows(["q1", "q2"], "rejected", "bad value")
    rows[35] += _rows(["q0", "q1", "q2"])
    rows[28][0] = row(five[0], "upsert", "aborted")
    starts = {day: day * DAY for day in rows} | {38: 38 * DAY + 6 * HOUR, 42: 42 * DAY + 6 * HOUR}
    # the first has five times as many rows as usual
    minutes = {17: 4, 25: 4}
    runs = [
        _run("daily", f"{100 + day}", starts[day], rows[day], minutes.get(day, 1)) for day in rows
    ]
    # seven minutes, as reported
    started_at = at(MONDAY_AT_9 + 26 * DAY)
    reported = {
        "sync_run_started_at": started_at.isoformat(),
        "sync_run_finished_at": (started_at + timedelta(minutes=7)).isoformat(),
        "sync_run_status": "completed",
    }
    folder = f"sync_tracking_datasets/{ORGANISATION}/daily"
    runs[26][1].append(TextFile(f"{folder}/126/metadata.json", json.dumps(reported)))
    runs[29][1].append(TextFile(f"{folder}/129/b.2.parquet", "PAR1 is all there is"))
    return runs


def _weekdays() -> list[RunFiles]:
    """A run at 18 on each weekday, without a Tuesday, a Friday, and a Monday and Tuesday."""
    days = [day for day in range(54) if day % 7 < 5 and day not in (15, 18, 42, 43)]
    rows = {day: _rows(["w0", "w1", "w2"]) for day in days}
    rows[21] += _rows(["g0", "g1", "g2"], "rejected", None)
    # nothing was attempted
    rows[22] = []
    rows[23] += _rows(["g0"], "rejected", None)
    rows[24] += _rows(["g0", "g1", "g2"])
    rows[25] += _rows(["h0", "h1"], "rejected", "")
    rows[28] += _rows(["h0"], "rejected", "")
    rows[29] += _rows(["h0", "h1"])
    # four records that fail until the end
    orders = [("p0", 123456), ("p1", 777777), ("p2", 234567), ("p3", 345678)]
    refused = [
        row(one, "upsert", "rejected", message=f"order {number} refused") for one, number in orders
    ]
    rows[30] += refused[:2]
    rows[31] += refused
    rows[53] += _rows(["w3"], "aborted")
    return [_run("weekdays", f"w{day}", day * DAY + 9 * HOUR, rows[day]) for day in days]


def _mirror() -> list[RunFiles]:
    """A run at 20 on each of the last days, which replaces all records."""
    six = [f"m{n}" for n in range(6)]
    members = dict.fromkeys(range(40, 54), six)
    # four of six leave, then one of two, then none of one
    members |= {44: six[:2], 45: six[:1], 46: six[:1]}
    # the same, then the only one leaves
    members |= {50: six[:2], 51: six[:1], 52: six[1:2]}
    return [
        _run("mirror", f"{day}", day * DAY + 11 * HOUR, _rows(its_members, operation="mirror"))
        for day, its_members in members.items()
    ]


def _rare() -> list[RunFiles]:
    """Ten runs at noon, too few to be late, with three members."""
    three = [f"x{n}" for n in range(3)]
    long = [f"h{n}" for n in range(4)]
    wide = ["g0", "g1"]
    rows = {day: _rows(three) for day in (1, 2, 3, 4, 5, 11, 12, 13, 32, 33)}
    # records that the log shows for the first time when they leave; in the third run, a member too
    rows[1] += _rows(["u0", "u1", "u2"], operation="delete")
    rows[2] += _rows(["v0", "v1", "v2"], operation="delete")
    rows[3] = [*_rows(three[1:]), *_rows(["w0", "w1", three[0]], operation="delete")]
    # it fails once, and is no longer old after 30 days
    rows[3] += _rows(["f0"], "rejected", "too long")
    # enough records too early; the same pattern again is not new
    rows[4] += _rows(wide, "rejected", "too wide")
    rows[5] += _rows(wide)
    rows[12] += _rows(wide, "rejected", "too wide")
    # of one record in two runs, then of three and four: known before
    rows[11] += _rows(long[:1], "rejected", "too long")
    rows[12] += _rows(long[:3], "rejected", "too long")
    rows[13] = [*_rows(three[:1]), *_rows(long, "rejected", "too long")]
    rows[32] += _rows([*long, *wide])
    return [_run("rare", f"r{day}", day * DAY + 3 * HOUR, rows[day]) for day in rows]


def _shaped() -> list[RunFiles]:
    """Nine runs at 15, too few to be late, with twelve members."""
    payloads: dict[int, list[str | None]] = {1: ['{"plan": "free", "seats": 3}'] * 12}
    # a new field, too early
    early = '{"plan": "free", "seats": 3, "beta": true}'
    payloads |= {day: [early] * 12 for day in range(2, 6)}
    # numbers become texts, and one payload has a new field
    text = '{"plan": "free", "seats": "3", "beta": true}'
    payloads[6] = [*[text] * 11, '{"plan": "pro", "seats": "9", "beta": true, "rare": 1}']
    # one field is gone, one is null; then there are no payloads, and all is as before
    payloads[7] = ['{"seats": null, "beta": true}'] * 12
    payloads[8] = [None] * 12
    payloads[9] = [text] * 12
    return [
        _run(
            "shaped",
            f"s{day}",
            day * DAY + 6 * HOUR,
            [
                row(f"s{n}", "upsert", "succeeded", payload=one)
                for n, one in enumerate(its_payloads)
            ],
        )
        for day, its_payloads in payloads.items()
    ]


def _rows(
    identifiers: list[str],
    status: str = "succeeded",
    message: str | None = None,
    operation: str = "upsert",
) -> list[LoggedRow]:
    return [row(one, operation, status, message=message) for one in identifiers]


def _run(sync: str, run: str, start: int, rows: list[LoggedRow], minutes: int = 1) -> RunFiles:
    """Write a run; without rows, it has only its metadata."""
    started, ended = MONDAY_AT_9 + start, MONDAY_AT_9 + start + minutes
    place = f"sync_tracking_datasets/{ORGANISATION}/{sync}/{run}"
    if not rows:
        reported = {"sync_run_started_at": at(started).isoformat(), "sync_run_status": "success"}
        return at(started), [TextFile(f"{place}/metadata.json", json.dumps(reported))]
    timed = [replace(one, batch_started_at=at(started), batch_ended_at=at(ended)) for one in rows]
    return at(started), [parquet(batch(run, *timed, sync=sync, organization=ORGANISATION))]
