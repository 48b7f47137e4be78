"""When `make watch` builds: at its start, when files arrive, and once an hour."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import dbt.cli.main
import pytest

from scripts.serve import watch


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
    monkeypatch: pytest.MonkeyPatch, runner: Dbt, listings: Sequence[object], hours: float = 0
) -> list[str]:
    """The commands that dbt received while the lake was listed, some hours apart."""
    left, now = list(listings), [0.0]

    def sleep(seconds: float) -> None:
        assert seconds in (watch.DEFAULT_SECONDS, watch.SECONDS_AFTER_A_FAILURE)
        now[0] += hours * 3600
        if not left:
            raise KeyboardInterrupt

    monkeypatch.delenv(watch.VARIABLE, raising=False)
    monkeypatch.setattr(dbt.cli.main, "dbtRunner", runner)
    monkeypatch.setattr(watch, "_listing", lambda: left.pop(0))
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
