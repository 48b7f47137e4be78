"""Alerts (docs/answers.md): levels, rows and health. Expected values worked out by hand."""

from functools import partial
from hashlib import md5
from typing import Any

import pytest

from oracle import ANSWER_COLUMNS, AlertRule
from oracle.building import at, batch, row, sent, unreadable
from oracle.retention import Purge
from specification.small_alerts import alerts, courses, run_of, values
from specification.small_lake_answers import Metadata, answers, from_to, picked
from specification.small_retention import before, built, kept

REJECTIONS = (
    *(run_of(1, 20), run_of(2, 10, 10), run_of(3, 2, 18), run_of(4, 10, 10)),
    # fewer failed rows than the minimum, but many of 100; no attempted row; few of 200
    *(run_of(5, 91, 9), run_of(6, 0, aborted=30), run_of(7, 191, 9)),
)
rate = partial(AlertRule, "rejection_rate")
HEALTH = "health open_alert_count open_critical_count"


# It opens as a warning, worsens, gets better and is resolved.
def test_an_alert() -> None:
    for count, end in ((6, None), (7, 7)):
        (found,) = [one for one in alerts(*REJECTIONS[:count]) if one["rule"] == "rejection_rate"]
        assert {column: found[column] for column in ANSWER_COLUMNS["sync_alerts"]} == {
            **{"organization_id": "o", "sync_id": "s", "rule": "rejection_rate"},
            **{"alert_id": md5(b"o/s/rejection_rate/2").hexdigest()},
            **{"severity": "warning", "worst_severity": "critical", "is_open": end is None},
            **{"opened_at": at(2), "opened_sync_run_id": "2"},
            **{"worsened_at": at(3), "worsened_sync_run_id": "3"},
            **{"resolved_at": at(end) if end else None},
            **{"resolved_sync_run_id": str(end) if end else None},
            **{"value": 0.5, "value_sync_run_id": "4", "threshold": 0.05},
            **{"failure_pattern": None, "sample": None},
            **{"is_muted": False, "data_until_at": at(count)},
            **{"source_name": "lake", "vendor": "census"},
        }


# Whether an alert is open after each run, by the rows of the last one.
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((20, 0), []),
        ((190, 10), [("2", None, None, "warning", "warning")]),
        ((191, 10), []),
        ((0, 9), []),
        ((4, 12), [("2", None, None, "critical", "critical")]),
        ((4, 11), [("2", None, None, "warning", "warning")]),
        # invalid rows are not sent, and aborted ones neither
        ((19, 0, 15), []),
        ((10, 9, 5), []),
        ((190, 10, 5), [("2", None, None, "warning", "warning")]),
        ((190, 10, 0, 5), [("2", None, None, "warning", "warning")]),
    ],
)
def test_rejection_rate(rows: tuple[int, ...], expected: list[Any]) -> None:
    assert courses("rejection_rate", run_of(1, 20), run_of(2, *rows)) == expected


@pytest.mark.parametrize(
    ("rows", "value"),
    [((190, 0, 10), 0.05), ((90, 0, 10, 100), 0.05), ((191, 0, 10), None), ((9, 10, 9), None)],
)
def test_invalid_rate(rows: tuple[int, ...], value: float | None) -> None:
    expected = [("1", None, value)] if value else []
    assert values("invalid_rate", run_of(1, *rows)) == expected


# With few failed rows the level stays if they are many of all rows. If they are not, it ends.
def test_few_failed_rows() -> None:
    files = (run_of(1, 10, 10), run_of(2, 0, 9), run_of(3, 0, 0, 9), run_of(4, 171, 9))
    for count in range(1, 5):
        assert values("rejection_rate", *files[:count]) == [("1", None, 0.5)]
        assert courses("rejection_rate", *files[:count]) == [
            ("1", None, None, "warning", "warning")
        ]
    for rows in ((172, 9), (191, 10), (20, 1), (1, 0), (1, 0, 9)):
        healthy = run_of(5, *rows)
        assert values("rejection_rate", *files, healthy) == [("1", "5", 0.5)]
        # few of them do not open it again, more of them do
        assert values("rejection_rate", *files, healthy, run_of(6, 0, 9)) == [("1", "5", 0.5)]
        assert values("rejection_rate", *files, healthy, run_of(6, 30, 10)) == [
            *[("1", "5", 0.5), ("6", None, 0.25)]
        ]
    # from the worst severity, without getting better before
    assert courses("rejection_rate", run_of(1, 0, 20), run_of(2, 10, 9), run_of(3, 20)) == [
        ("1", None, "3", "critical", "critical")
    ]


# As few invalid rows.
def test_few_invalid_rows() -> None:
    first = run_of(1, 20, 0, 20)
    for few in (run_of(2, 9, 0, 9), run_of(2, 0, 0, 9), run_of(2, 171, 0, 9)):
        assert values("invalid_rate", first, few) == [("1", None, 0.5)]
    for few in (run_of(2, 172, 0, 9), run_of(2, 1), run_of(2, 0, 5), run_of(2, 191, 0, 10)):
        assert values("invalid_rate", first, few) == [("1", "2", 0.5)]
    # no rows, and no value
    found = answers(first, run_of(2), metadata={"2": from_to(at(2), at(2))})
    assert picked(found["sync_statistics"], "unsettled_run_count") == [(0,)]
    assert picked(found["sync_alerts"], "rule is_open") == [("invalid_rate", True)]


# The minimum of the user: a run that reaches no threshold of the user ends the alert below it.
def test_a_minimum_of_the_user() -> None:
    rules = (rate("warning", 0.2, 15), rate("critical", 0.6, 20))
    files = (run_of(1, 0, 14), run_of(2, 5, 15))
    assert courses("rejection_rate", *files, alert_rules=rules) == [
        ("2", None, None, "critical", "critical")
    ]
    for rows, end in (((56, 14), None), ((57, 14), "3"), ((1, 0), "3")):
        assert courses("rejection_rate", *files, run_of(3, *rows), alert_rules=rules) == [
            ("2", None, end, "critical", "critical")
        ]


# An alert can open again after it was resolved. Some of these runs have no rejected row.
def test_run_failed() -> None:
    words = ("failed", "done", "error", "failed", "success")
    statuses: Metadata = {
        str(n): {"sync_run_status": word} for n, word in enumerate(words, start=1)
    }
    files = [sent(run, int(run), "a") for run in statuses]
    assert courses("run_failed", *files, metadata=statuses) == [
        *[("1", None, "2", "critical", "critical"), ("3", None, "5", "critical", "critical")]
    ]
    # a row was not attempted, whatever else
    for rows in ((5, 0, 0, 1), (0, 1, 0, 1), (0, 0, 0, 1)):
        assert values("run_failed", run_of(1, *rows)) == [("1", None, 1.0)]
    assert values("run_failed", run_of(1, 0, 0, 1), run_of(2)) == []


# All rows were rejected. Without a report, the run has failed, but it is no alert; it ends one.
@pytest.mark.parametrize("rows", [(0, 1), (0, 30), (0, 2, 2)])
def test_a_run_of_rejected_rows(rows: tuple[int, ...]) -> None:
    found = answers(run_of(1, *rows))
    assert picked(found["sync_statistics"], "last_run_status failed_run_count") == [("failed", 1)]
    assert values("run_failed", run_of(1, *rows)) == []
    aborted = run_of(1, 0, 0, 0, 1)
    assert values("run_failed", aborted, run_of(2, *rows)) == [("1", "2", 1.0)]
    for word, expected in (
        *[("failed", [("1", None, 1.0)]), ("success", []), ("running", []), ("unheard of", [])],
    ):
        reported: Metadata = {"1": {"sync_run_status": word}}
        assert values("run_failed", run_of(1, *rows), metadata=reported) == expected
    # reported as succeeded, so it has not failed, although a row was not attempted
    for word, expected in (("success", []), ("running", [("1", None, 1.0)])):
        reported = {"1": {"sync_run_status": word}}
        assert values("run_failed", aborted, metadata=reported) == expected


# One rejected row alone: a failed run, and fewer rejections than the minimum.
def test_a_single_rejected_record() -> None:
    assert alerts(run_of(1, 20), run_of(2, 0, 1), run_of(3, 20)) == []
    found = answers(run_of(1, 20), run_of(2, 0, 1))["sync_health"]
    assert picked(found, HEALTH) == [("ok", 0, 0)]


# A run that is not settled is skipped: it neither opens nor resolves.
def test_a_run_that_is_not_settled() -> None:
    def unsettled(minute: int, word: str) -> Any:
        rows = [row(f"{n}", "mirror", word, started=minute) for n in range(20)]
        return batch(f"{minute}", *rows)

    assert alerts(run_of(1, 20), unsettled(2, "rejected"), run_of(3, 20)) == []
    found = courses("rejection_rate", run_of(1, 0, 20), unsettled(2, "succeeded"), run_of(3, 0, 1))
    assert found == [("1", None, None, "critical", "critical")]
    # settled in the end
    files = (run_of(1, 20), run_of(2, 0, 20, operation="mirror"))
    assert [courses("rejection_rate", *files, as_of=at(end)) for end in (62, 63)] == [
        *[[], [("2", None, None, "critical", "critical")]]
    ]


# The time of a run is its reported finish, else the end of its last batch, else its `order_at`.
def test_the_time_of_a_run() -> None:
    finish = {"sync_run_finished_at": "2025-03-01T00:09:00Z", "sync_run_status": "failed"}
    start = {"sync_run_started_at": "2025-03-01T00:05:00Z", "sync_run_status": "failed"}
    for metadata, ended, time in ((finish, 3, 9), (start, 7, 7), (start, None, 5)):
        found = alerts(sent("1", ended, "a"), metadata={"1": metadata})
        assert picked(found, "rule opened_at") == [("run_failed", at(time))]
    found = alerts(sent("1", None, "a"), metadata={"1": {"sync_run_status": "failed"}})
    assert picked(found, "opened_at data_until_at") == [(None, None)]


# The rows of the most specific scope count, all of them.
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # half of the rows were rejected
        ((), ("warning", 0.05)),
        ((rate("critical", 0.5),), ("critical", 0.5)),
        ((rate("critical", 0.51),), None),
        ((rate("critical"),), None),
        ((rate("warning"),), ("warning", 0.05)),
        ((rate("off"),), None),
        ((rate("odd"),), ("warning", 0.05)),
        ((AlertRule("run_failed", "off"),), ("warning", 0.05)),
        ((rate("warning", 0.2, 11),), None),
        ((rate("warning", 0.2, 10),), ("warning", 0.2)),
        # two of one severity, and the lowest minimum
        (
            (rate("warning", 0.2, 99), rate("warning", 0.1, 3), rate("off", None, 1)),
            ("warning", 0.1),
        ),
        # scopes
        ((rate("critical", 0.1), rate("warning", 0.3, organization_id="o")), ("warning", 0.3)),
        (
            (
                rate("off", organization_id="o"),
                rate("critical", 0.4, sync_id="s"),
                rate("warning", 0.3, organization_id="o", sync_id="s"),
            ),
            ("critical", 0.4),
        ),
        (
            (
                rate("off", organization_id="p", sync_id="s"),
                rate("off", organization_id="o", sync_id="t"),
                rate("off", organization_id="p"),
                rate("off", sync_id="t"),
            ),
            ("warning", 0.05),
        ),
    ],
)
def test_rules_of_the_user(
    rules: tuple[AlertRule, ...], expected: tuple[str, float] | None
) -> None:
    found = alerts(run_of(1, 10, 10), alert_rules=rules)
    assert picked(found, "severity threshold") == ([expected] if expected else [])


# A rule without a built-in threshold of the severity has its other one.
def test_a_severity_that_is_not_built_in() -> None:
    rules = (AlertRule("invalid_rate", "critical"), AlertRule("run_failed", "warning"))
    found = alerts(run_of(1, 19, 0, 10), run_of(2, 1, 0, 0, 1), alert_rules=rules)
    assert picked(found, "rule severity threshold") == [
        *[("run_failed", "warning", 1.0), ("invalid_rate", "critical", 0.05)]
    ]


def test_health() -> None:
    def health(*files: Any) -> list[Any]:
        return picked(answers(*files)["sync_health"], f"sync_id {HEALTH} data_until_at")

    assert health(run_of(1, 20)) == [("s", "ok", 0, 0, at(1))]
    assert health(run_of(1, 10, 10)) == [("s", "warning", 1, 0, at(1))]
    # all rejected, which is no failed run by itself; and one sync more
    both = (run_of(1, 0, 20), run_of(3, 19, 0, 10, sync="t"))
    assert health(*both) == [("s", "critical", 1, 1, at(1)), ("t", "warning", 1, 0, at(3))]
    # one row that fails says too little, and one that is not attempted is a failed run
    assert health(*both, run_of(4, 0, 1)) == [
        *[("s", "critical", 1, 1, at(4)), ("t", "warning", 1, 0, at(3))]
    ]
    assert health(*both, run_of(4, 0, 0, 0, 1)) == [
        *[("s", "critical", 2, 2, at(4)), ("t", "warning", 1, 0, at(3))]
    ]
    # one row that succeeds resolves both
    assert health(*both, run_of(4, 1)) == [
        *[("s", "ok", 0, 0, at(4)), ("t", "warning", 1, 0, at(3))]
    ]
    assert health(*both, run_of(4, 1), run_of(5, 1, sync="t")) == [
        *[("s", "ok", 0, 0, at(4)), ("t", "ok", 0, 0, at(5))]
    ]


# The log of a run is not complete: a file of it cannot be read.
def test_incomplete_log() -> None:
    files = (run_of(1, 20), run_of(2, 20), unreadable("2"), run_of(3, 20))
    assert values("incomplete_log", *files) == [("2", "3", 1.0)]
    # a pruned run counts as if it were not
    pruned = built(*files).after_prune(before(4)).built().answers()["sync_alerts"]
    assert picked(pruned, "rule opened_sync_run_id") == [("incomplete_log", "2")]


# Pruned runs keep their counts. A purged record is in no sample.
def test_pruned_and_purged() -> None:
    files = (*(run_of(n, 20) for n in range(1, 6)), run_of(6, 10, 11), run_of(7, 20))
    whole = built(*files)
    pruned = whole.after_prune(before(7)).built()
    assert pruned.answers()["sync_alerts"] == whole.answers()["sync_alerts"]
    found = pruned.after_purge(Purge("o", "0011")).built().answers()["sync_alerts"]
    sample = [f"{n:04}" for n in (10, 12, 13, 14, 15)]
    assert picked(found, "rule value sample") == [
        *[("rejection_rate", 11 / 21, None), ("new_error_pattern", 11.0, sample)]
    ]
    # without a prune, it is not in the counts
    found = whole.after_purge(Purge("o", "0011")).built().answers()["sync_alerts"]
    assert picked(found, "rule value") == [("rejection_rate", 0.5), ("new_error_pattern", 10.0)]
    # nobody is left who failed with the pattern
    for number in range(10, 21):
        pruned = pruned.after_purge(Purge("o", f"{number:04}"))
    found = pruned.built().answers()["sync_alerts"]
    assert picked(found, "rule value") == [("rejection_rate", 11 / 21)]


# A sync whose changelog is not kept has its alerts, but no row in `error_patterns` for a sample.
def test_without_a_changelog() -> None:
    files = (*(run_of(n, 20) for n in range(1, 6)), run_of(6, 10, 11))
    for is_kept, sample in ((True, [f"{n:04}" for n in range(10, 15)]), (False, None)):
        found = kept(*files, keep_changelog=is_kept).answers()["sync_alerts"]
        assert picked(found, "rule value sample") == [
            *[("rejection_rate", 11 / 21, None), ("new_error_pattern", 11.0, sample)]
        ]
