"""Messages: one for each change, or a digest if there are many."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from sync_logs_viewer.web.formats import UNSEEN, as_data, moment

from .changes import KINDS, WORST_FIRST, Change, worst_first

# more changes than this are one digest, with the worst ones of that number
MOST_MESSAGES = 20
# a digest names no more ids than this; it counts all
MOST_IDS = 1_000
# Slack takes 150 characters of a header and 3,000 of a text; Teams takes 28 kB
LONGEST_TITLE, LONGEST_TEXT, LONGEST_NAME, LONGEST_LINE = 150, 1_000, 60, 250


@dataclass(frozen=True)
class Message:
    """What a receiver gets, and the changes that it tells."""

    # the same whenever the same changes are sent, so that a receiver can drop a second copy
    id: str
    changes: tuple[Change, ...]
    title: str
    # texts from logs: plain, without line ends and invisible characters
    paragraphs: tuple[str, ...]
    link: str | None
    # for programs
    data: Mapping[str, Any]


def messages_of(changes: list[Change], viewer_url: str | None) -> list[Message]:
    """The messages for some changes."""
    if len(changes) > MOST_MESSAGES:
        return [_digest(changes, viewer_url)]
    return [_single(change, viewer_url) for change in changes]


def _single(change: Change, viewer_url: str | None) -> Message:
    alert = change.alert
    samples = _samples(alert)
    paragraphs = (
        _cut(alert["message"] or ""),
        f"Pattern: {_cut(pattern)}" if (pattern := alert.get("failure_pattern")) else "",
        f"For example: {', '.join(_cut(one, LONGEST_NAME) for one in samples)}" if samples else "",
        _times(alert),
    )
    return Message(
        change.id,
        (change,),
        _title(change),
        tuple(filter(None, paragraphs)),
        _link(viewer_url, alert),
        _data(change, viewer_url),
    )


def _digest(changes: list[Change], viewer_url: str | None) -> Message:
    ids = tuple(change.id for change in changes)
    shown = worst_first(changes)[:MOST_MESSAGES]
    counts = {
        "kind": _counted((one.kind for one in changes), KINDS),
        "severity": _counted((one.severity for one in changes), WORST_FIRST),
        "rule": _counted(one.alert["rule"] for one in changes),
    }
    title = f"{len(changes):,} changes of alerts: {_listed(counts['kind'])}"
    lines = [_cut(f"{_title(one)}. {one.alert['message']}", LONGEST_LINE) for one in shown]
    left = len(changes) - len(shown)
    digest_id = f"digest-{hashlib.sha256(' '.join(sorted(ids)).encode()).hexdigest()[:32]}"
    return Message(
        digest_id,
        tuple(changes),
        _cut(title, LONGEST_TITLE),
        (
            f"By severity: {_listed(counts['severity'])}. By rule: "
            f"{_cut(_listed(counts['rule']))}. The worst {len(shown)}:",
            *lines,
            f"And {left:,} more.",
        ),
        _link(viewer_url),
        {
            "id": digest_id,
            "kind": "digest",
            "change_count": len(changes),
            "counts": counts,
            "changes": [_data(one, viewer_url) for one in shown],
            "change_ids": list(ids[:MOST_IDS]),
            "link": _link(viewer_url),
        },
    )


def _title(change: Change) -> str:
    alert = change.alert
    where = f"sync {alert['sync_id']}, organisation {alert['organization_id']}"
    kind = change.kind.capitalize()
    if change.kind == "opened" and change.number > 1:
        kind += " again"
    words = f"{kind}: {change.severity} {alert['rule']} ({where})"
    return _cut(words, LONGEST_TITLE)


def _times(alert: Mapping[str, Any]) -> str:
    parts = [
        f"{kind} {moment(alert[f'{kind}_at'])} (UTC) in run {_cut(run, LONGEST_NAME)}"
        for kind in KINDS
        if (run := alert.get(f"{kind}_sync_run_id")) is not None
    ]
    times = f"It {', '.join(parts)}." if parts else ""
    measured = alert.get("value_sync_run_id")
    if measured in (None, alert.get("opened_sync_run_id")):
        return times
    return f"{times} The figures are those of run {_cut(measured, LONGEST_NAME)}.".lstrip()


def _data(change: Change, viewer_url: str | None) -> dict[str, Any]:
    row = {name: as_data(value) for name, value in change.alert.items()}
    return {
        "id": change.id,
        "kind": change.kind,
        "changed_at": as_data(change.at),
        "changed_sync_run_id": change.sync_run_id,
        **row,
        "sample_identifiers": _samples(change.alert),
        "link": _link(viewer_url, change.alert),
    }


def _samples(alert: Mapping[str, Any]) -> list[str]:
    given = alert.get("sample_identifiers")
    return [str(one) for one in json.loads(given)] if given else []


def _counted(given: Iterable[str], order: Iterable[str] = ()) -> dict[str, int]:
    """How often each word is there: in the given order, else the most common first."""
    found = Counter(given)
    words = [word for word in order if word in found]
    words = words or sorted(found, key=lambda word: (-found[word], word))
    return {word: found[word] for word in words}


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {word}" for word, count in counts.items())


def _link(viewer_url: str | None, alert: Mapping[str, Any] | None = None) -> str | None:
    """The page of all alerts, or of those of the sync of one."""
    if viewer_url is None:
        return None
    page = f"{viewer_url.rstrip('/')}/alerts"
    about = {name: alert[name] for name in ("organization_id", "sync_id")} if alert else {}
    if alert and not alert["is_open"]:
        # the page has only open ones unless it is asked for all
        about["status"] = "all"
    query = urlencode(about)
    return f"{page}?{query}" if query and len(query) <= LONGEST_TEXT else page


def _cut(text: object, longest: int = LONGEST_TEXT) -> str:
    """A text in one line, with invisible characters as their codes, and not too long."""
    # half of a character, from an escape in a log, cannot be encoded
    whole = " ".join(str(text).split()).encode("utf-8", "backslashreplace").decode()
    seen = UNSEEN.sub(lambda one: f"<U+{ord(one.group()):04X}>", whole)
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}…"
