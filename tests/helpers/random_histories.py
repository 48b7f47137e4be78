"""Many random histories in one lake; each has its own organisations, which share nothing."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from oracle import (
    History,
    Lake,
    Step,
    apply_step,
    compute,
    compute_answers,
    merge,
    orderly_history,
    random_history,
    read_lake,
)
from oracle.alert_rules import AlertRules
from oracle.answers import Rules
from oracle.answers_facts import SyncFacts, facts_of
from oracle.history import read_syncs
from oracle.lake import as_utc
from oracle.writing import LakeFile, TextFile


@dataclass(frozen=True)
class ManyHistories:
    """Random histories in parallel; step k of the whole is step k of each."""

    histories: tuple[History, ...]
    as_of: tuple[datetime, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the whole; a history with fewer steps ends early."""
        return tuple(self._step(number) for number in range(len(self.as_of)))

    def _step(self, number: int) -> Step:
        parts = [one.steps[number] for one in self.histories if number < len(one.steps)]
        return Step(
            tuple(file for part in parts for file in part.writes),
            tuple(path for part in parts for path in part.deletes),
            self.as_of[number],
        )


def many_histories(
    seeds: range, as_of: tuple[datetime, ...], orderly: range = range(0)
) -> ManyHistories:
    """Create one history per seed, with organisations named after the seed.

    The histories of the seeds in `orderly` have runs that follow one another.
    """
    named = [
        *(_named(random_history(seed), f"{seed} ") for seed in seeds),
        *(_named(orderly_history(seed), f"{seed} ") for seed in orderly),
    ]
    return ManyHistories(tuple(named), as_of)


def _named(history: History, prefix: str) -> History:
    return History(_files(history.files, prefix), tuple(_step(s, prefix) for s in history.steps))


def _step(step: Step, prefix: str) -> Step:
    return replace(
        step,
        writes=_files(step.writes, prefix),
        deletes=tuple(_renamed(path, prefix) for path in step.deletes),
    )


def _files(files: tuple[LakeFile, ...], prefix: str) -> tuple[LakeFile, ...]:
    return tuple(_moved(file, prefix) for file in files)


def _moved(file: LakeFile, prefix: str) -> LakeFile:
    moved = replace(file, path=_renamed(file.path, prefix))
    # Spark's listing does not show a file of zero bytes (R6), so it gets one byte
    return replace(moved, text=" ") if isinstance(moved, TextFile) and not moved.text else moved


def _renamed(path: str, prefix: str) -> str:
    root, organisation, rest = path.split("/", 2)
    return f"{root}/{prefix}{organisation}/{rest}"


class Remembered:
    """What builds have seen of a lake so far, and the expected tables."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen = Lake({}, {}, {})

    def step(self, step: Step) -> None:
        """Change the lake and remember its new content."""
        apply_step(self._root, step)
        self.see()

    def see(self) -> None:
        """Remember the current content of the lake."""
        self._seen = merge(self._seen, read_lake(self._root))

    def tables(self, as_of: datetime) -> dict[str, list[dict[str, object]]]:
        """The expected tables of a build at that time."""
        return compute(self._seen, as_of)

    def facts(self, as_of: datetime) -> list[SyncFacts]:
        """Everything known about each sync at that time."""
        return [facts_of(sync) for sync in read_syncs(self._seen, as_utc(as_of))]

    def answers(
        self, as_of: datetime, rules: Rules, alert_rules: AlertRules = ()
    ) -> dict[str, list[dict[str, object]]]:
        """The expected answers of a build at that time."""
        return compute_answers(self._seen, as_of, rules=rules, alert_rules=alert_rules)
