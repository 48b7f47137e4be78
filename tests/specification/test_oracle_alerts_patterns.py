"""The alert of a new failure pattern (docs/answers.md): expected values worked out by hand."""

from hashlib import md5
from typing import Any

import pytest

from oracle import AlertRule
from oracle.building import batch, row, sent
from oracle.lake import BatchFile
from specification.small_alerts import alerts, courses, values
from specification.small_lake_answers import picked

PATTERN = "new_error_pattern"


def failing(number: int, *keys: str | None, message: str | None = "no") -> BatchFile:
    rows = [row(one, "upsert", "rejected", message=message, ended=number) for one in keys]
    return batch(f"{number}", row("z", "upsert", "succeeded", ended=number), *rows)


# A pattern is new only after five runs.
FIVE = [sent(f"{n}", n, "z") for n in range(1, 6)]


# Each identifier counts once, and each null key. Not in the first runs of the sync.
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("abcde", (5.0, [*"abcde"])),
        ("abcd", None),
        ("fedcba", (6.0, [*"abcde"])),
        ((*"abc", None, None), (5.0, [*"abc"])),
        ((None,) * 5, (5.0, [])),
        # one record with two rows: only the last one is in the changelog
        ("abcdd", None),
    ],
)
def test_a_new_pattern(keys: Any, expected: tuple[float, list[str]] | None) -> None:
    for message, end in (("no", "/no"), ("", "/"), (None, "")):
        rows = failing(6, *keys, message=message)
        found = alerts(*FIVE, rows)
        alert_id = md5(f"o/s/{PATTERN}/6{end}".encode()).hexdigest()
        assert picked(found, "rule value sample failure_pattern alert_id") == (
            [(PATTERN, *expected, message, alert_id)] if expected else []
        )
        assert alerts(*FIVE[1:], rows) == []
        # a run without rows is a run before, but one without any time is the last one
        files = (batch("1"), *FIVE[1:], rows)
        done: dict[str, object] = {"sync_run_status": "done"}
        assert alerts(*files, metadata={"1": done}) == []
        done["sync_run_started_at"] = "2025-03-01T00:00:00Z"
        assert len(alerts(*files, metadata={"1": done})) == bool(expected)


# Invalid and `append` rows fail too.
def test_which_rows_have_a_pattern() -> None:
    for operation, word in (("upsert", "DUPLICATE"), ("append", "rejected"), ("odd", "succeeded")):
        rows = [row("a", operation, word, ended=6) for _ in range(5)]
        assert values(PATTERN, *FIVE, batch("6", *rows)) == []
        rows = [row(one, operation, word, ended=6) for one in "abcde"]
        assert values(PATTERN, *FIVE, batch("6", *rows)) == [("6", None, 5.0)]


# It goes on while enough records fail, and is resolved once. A run that attempted nothing says
# nothing, and a pattern that returns is not new.
def test_the_course_of_a_new_pattern() -> None:
    files = [*FIVE, failing(6, *"abcde"), failing(7, *"abcdef")]
    files.append(batch("8", row("a", "upsert", "aborted", ended=8)))
    assert values(PATTERN, *files) == [("6", None, 6.0)]
    files.append(failing(9, *"abcd"))
    assert values(PATTERN, *files) == [("6", "9", 6.0)]
    files += [failing(10, *"abcdef"), failing(11, *"abcde", message="other")]
    assert values(PATTERN, *files) == [("6", "9", 6.0), ("11", None, 5.0)]
    # the sample has those who failed last
    found = alerts(*files[:7], failing(8, *"fed"))
    assert picked(found, "rule sample") == [(PATTERN, [*"defab"])]


# Only the first run with the pattern can open it: a reason that some records always have would
# otherwise be new whenever there are more of them than usual.
def test_a_pattern_that_begins_below_the_threshold() -> None:
    fifty = [f"{n}" for n in range(50)]
    assert values(PATTERN, *FIVE, failing(6, "a"), failing(7, *fifty)) == []


# A pattern of one of the first five runs does not open later either.
def test_a_pattern_that_is_too_early() -> None:
    early = [failing(0, *"abcde"), *FIVE[:4]]
    assert values(PATTERN, *early, failing(6, *"abcdef")) == []
    assert values(PATTERN, *FIVE[:4], failing(5, *"abcde"), failing(6, *"abcdef")) == []


# The lowest threshold of the rule opens it, then it worsens.
def test_the_lowest_threshold_of_a_pattern() -> None:
    rules = (AlertRule(PATTERN, "critical", 6), AlertRule(PATTERN, "warning", 4))
    files = (*FIVE, failing(6, *"abcd"), failing(7, *"abcdef"))
    assert courses(PATTERN, *files, alert_rules=rules) == [("6", "7", None, "critical", "critical")]
    assert courses(PATTERN, *files, alert_rules=rules[:1]) == []
    assert courses(PATTERN, *files, alert_rules=(AlertRule(PATTERN, "off"),)) == []


# The first settled run counts: the one before is only announced as a mirror run.
def test_a_new_pattern_in_a_run_that_is_not_settled() -> None:
    rows = [row(one, "mirror", "rejected", message="no", started=6) for one in "abcdef"]
    files = (*FIVE, batch("6", *rows), failing(7, *"abcde"))
    assert values(PATTERN, *files) == [("7", None, 5.0)]
    assert values(PATTERN, *files[1:]) == []
