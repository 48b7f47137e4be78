"""When `make watch` builds: at its start, when files arrive, and once an hour."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dbt.cli.main
import pytest

from scripts.serve import watch
from sync_logs_viewer.notifying import settings_of
from sync_logs_viewer.notifying.settings import (
    KNOWN,
    MEMORY,
    RECIPIENTS,
    SENDER,
    SLACK,
    SMTP,
    TEAMS,
    WEBHOOK,
)


class Dbt:
    """A fake dbt that records its commands and ends as it is told."""

    def __init__(self, exceptions: Sequence[BaseException | None] = ()) -> None:
        self.asked: list[str] = []
        self._exceptions = list(exceptions)

    def __call__(self, manifest: Any = None) -> "Dbt":
        """Return a runner of dbt; the project creates one for each command."""
        return self

    def invoke(self, command: list[str]) -> Any:
        """Record a command."""
        self.asked.append(command[0])
        failed = self._exceptions.pop(0) if command[0] == "build" and self._exceptions else None
        return SimpleNamespace(success=failed is None, exception=failed, result="the manifest")


def built(
    monkeypatch: pytest.MonkeyPatch,
    runner: Dbt,
    listings: Sequence[object],
    hours: float = 0,
    variables: Mapping[str, str] | None = None,
    listing: Callable[[], object] = lambda: None,
) -> list[str]:
    """The commands that dbt received while the lake was listed, some hours apart."""
    left, now = list(listings), [0.0]

    def sleep(seconds: float) -> None:
        assert seconds in (watch.DEFAULT_SECONDS, watch.SECONDS_AFTER_A_FAILURE)
        now[0] += hours * 3600
        if not left:
            raise KeyboardInterrupt

    monkeypatch.delenv(watch.VARIABLE, raising=False)
    for name in KNOWN:
        monkeypatch.delenv(name, raising=False)
    for name, value in (variables or {}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(dbt.cli.main, "dbtRunner", runner)
    monkeypatch.setattr(watch, "_listing", lambda: (listing(), left.pop(0))[1])
    monkeypatch.setattr(watch, "time", SimpleNamespace(sleep=sleep, monotonic=lambda: now[0]))
    with pytest.raises(KeyboardInterrupt):
        watch.main()
    return runner.asked


@pytest.mark.parametrize(
    ("listings", "build_count"),
    [
        (["one file"], 1),
        (["one file", "one file", "one file"], 1),
        (["one file", "two files", "two files"], 2),
        # the first build creates the tables that list the lake
        ([None, "one file", "one file"], 2),
    ],
)
def test_it_builds_when_the_lake_changes(
    monkeypatch: pytest.MonkeyPatch, listings: list[object], build_count: int
) -> None:
    asked = built(monkeypatch, Dbt(), listings)
    assert asked == ["parse", *["build"] * build_count]


def test_it_builds_once_an_hour_without_new_files(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = built(monkeypatch, Dbt(), ["one file"] * 3, hours=1.5)
    assert asked == ["parse", "build", "build", "build"]


def test_a_build_that_could_not_run_is_retried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runner = Dbt([RuntimeError("Wait until it has ended"), None])
    assert built(monkeypatch, runner, ["one file"] * 3) == ["parse", "build", "build"]
    said = capsys.readouterr().out
    assert "the build failed: Wait until it has ended" in said
    assert "built in 0 s." in said


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (None, ""),
        (FileNotFoundError("sync-logs"), "nobody was notified (FileNotFoundError)."),
        (subprocess.TimeoutExpired("sync-logs", 1), "nobody was notified (TimeoutExpired)."),
    ],
)
def test_alerts_are_sent_after_each_build_whatever_comes_of_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    failure: Exception | None,
    said: str,
) -> None:
    runner = Dbt([None, RuntimeError("no build"), None])

    def run(command: list[str], **how: Any) -> Any:
        runner.asked.append(command[1])
        if failure is not None:
            raise failure
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", run)
    channel = {SLACK: "https://hooks.slack.com/secret"}
    listings = ["one file", "two files", "two files", "two files"]
    asked = built(monkeypatch, runner, listings, variables=channel)
    assert asked == ["parse", "build", "notify", "build", "build", "notify"]
    out = capsys.readouterr().out
    assert said in out
    assert "secret" not in out


@pytest.mark.parametrize(
    ("codes", "checks_between"),
    [
        ([1, 0], [2]),
        # each pause is twice as long
        ([1, 1, 1, 0], [2, 4, 8]),
        ([FileNotFoundError("sync-logs"), 0], [2]),
        # wrong settings do not get better
        ([2], []),
        ([0], []),
    ],
)
def test_a_failed_call_is_tried_again_without_a_build(
    monkeypatch: pytest.MonkeyPatch, codes: list[Any], checks_between: list[int]
) -> None:
    runner, left = Dbt(), list(codes)

    def run(command: list[str], **how: Any) -> Any:
        runner.asked.append("notify")
        code = left.pop(0)
        if isinstance(code, Exception):
            raise code
        return SimpleNamespace(returncode=code)

    monkeypatch.setattr(subprocess, "run", run)
    channel = {SLACK: "https://hooks.slack.com/secret"}
    # checks are half a minute apart
    built(
        monkeypatch,
        runner,
        ["one file"] * 18,
        30 / 3600,
        channel,
        lambda: runner.asked.append("check"),
    )
    said = " ".join(runner.asked).split("build notify", 1)[1]
    waits = [part.split().count("check") for part in said.split("notify")]
    assert waits[:-1] == checks_between
    assert left == []


def test_a_call_is_not_ended_before_each_channel_has_had_its_time() -> None:
    url, mail = "https://h", {SMTP: "smtp://h", SENDER: "a@h", RECIPIENTS: "b@h"}
    limits = [
        one.limits
        for one in settings_of({WEBHOOK: url, SLACK: url, TEAMS: url, **mail}, Path()).channels
    ]
    assert len(limits) == 4
    assert sum(one.call + one.attempt for one in limits) < watch.SECONDS_TO_NOTIFY - 60


def test_nothing_is_sent_without_a_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("it was called"))
    assert built(monkeypatch, Dbt(), ["one file"], variables={MEMORY: "m"}) == ["parse", "build"]
