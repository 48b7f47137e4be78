"""Builds and operations killed at many moments, on one warehouse that keeps growing.

After each kill there is one plain build and no repair. All tables must be right, and no killed load
may remain. Sometimes the warehouse is lost, or replaced by one of an old version, which the build
migrates. SYNC_LOGS_CRASHES is the number of moments; SYNC_LOGS_CRASH_SEED chooses them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest

from helpers.compared_tables import differing_tables
from helpers.killed_builds import FOUND, Built, Moment, build_and_read, kill, start, start_of
from helpers.old_state import BUILT_AS_OF, unpack_lake
from helpers.project import FILE_FORMAT, environment
from helpers.random_histories import ManyHistories, many_histories
from helpers.retained_warehouse import prune_arguments, purge_arguments
from oracle import Step, apply_step, read_lake
from oracle.random_words import DAY_ONE
from oracle.retention import Prune, Purge, Retained

COUNT = int(os.environ.get("SYNC_LOGS_CRASHES", "50"))
SEED = int(os.environ.get("SYNC_LOGS_CRASH_SEED", "1"))
# A new history begins every so many moments. Each lasts up to five.
MOMENTS_PER_HISTORY = 2
FIRST_SEED = 1000
# Kinds of moments alternate. Their number is not a multiple of the other cycle lengths.
# The old warehouse is of parquet, so builds of another format do not migrate it.
KINDS = (
    *("node", "commit", "operation", "inside", "node", "start-up"),
    *("node", "operation", "inside", "node", "migration" if FILE_FORMAT == "parquet" else "inside"),
)
MIGRATING = "Migrating the state"
OPERATIONS = ("prune", "purge", "compact")
PYTHON_ALONE_EVERY = 4
FRESH_EVERY = 9
FULL_REFRESH_EVERY = 10


@dataclass(frozen=True)
class Attack:
    """The command and when it is killed."""

    kind: str
    command: tuple[str, ...]
    moment: Moment
    # the first build of a warehouse, or the first of this version in it
    is_first: bool = False
    # what the operation may or may not have done when it was killed
    operation: Prune | Purge | None = None

    def __str__(self) -> str:
        what = " ".join(word for word in self.command[:2] if word != "--vars")
        after = "its start" if self.moment.line is None else readable(self.moment.line)
        who = "the whole group" if self.moment.is_whole_group else "Python alone"
        first = ", the first build" if self.is_first else ""
        return f"{self.kind}: {what}, {self.moment.seconds:.1f} s after {after}, {who}{first}"


def readable(line: str) -> str:
    """A readable form of a regular expression for a line of the output."""
    return re.sub(r"\.\*|\\b|\\d\+ ?|\\", "", line)


def test_whatever_is_killed_the_next_build_is_right(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = Random(SEED)
    old_home = home_of_old_version(tmp_path) if "migration" in KINDS else None
    steps = growing_steps(COUNT + 1)
    apply_step(tmp_path / "lake", steps[0])
    nodes, seconds_to_start = nodes_of_a_build(tmp_path)
    # every node has a turn before any node has a second one
    turns_of_nodes = cycle(rng.sample(nodes, len(nodes)))
    retained = Retained().built(read_lake(tmp_path / "lake"), steps[0].as_of)
    turns = zip(steps[1:], islice(cycle(KINDS), COUNT), strict=True)
    for number, (step, kind) in enumerate(turns, start=1):
        began = time.monotonic()
        attack = choose(rng, number, kind, turns_of_nodes, seconds_to_start, retained, step.as_of)
        apply_step(tmp_path / "lake", step)
        if attack.is_first:
            shutil.rmtree(tmp_path / "home")
            retained = Retained()
        if kind == "migration":
            assert old_home is not None
            assert step.as_of >= BUILT_AS_OF
            shutil.copytree(old_home, tmp_path / "home")
            unpack_lake(tmp_path)
        was_killed = kill(tmp_path, attack.command, attack.moment)
        built = build_and_read(tmp_path, step.as_of)
        outcomes = possible(retained, attack.operation, was_killed)
        retained = check(tmp_path, outcomes, attack, built, step.as_of)
        seconds = time.monotonic() - began
        ended = "" if was_killed else " (had ended)"
        tell(capfd, f"{number} of {COUNT}: {attack}{ended}: {seconds:.0f} s")


def check(
    folder: Path, outcomes: dict[str, Retained], attack: Attack, built: Built, as_of: datetime
) -> Retained:
    """Assert that a build continues from one of the possible outcomes of the killed command."""
    lake = read_lake(folder / "lake")
    wrong = {}
    for outcome, state in outcomes.items():
        after = state.built(lake, as_of)
        wrong[outcome] = differing_tables(after.tables(), built.tables)
        if not wrong[outcome]:
            break
    else:
        raise AssertionError(f"{attack}: {json.dumps(wrong, indent=2)}")
    assert built.dead_loads() == [], str(attack)
    return after


def possible(
    before: Retained, operation: Prune | Purge | None, was_killed: bool
) -> dict[str, Retained]:
    """The possible states after a command: a killed one took effect or did not, nothing between."""
    if operation is None:
        return {"as before": before}
    if isinstance(operation, Prune):
        done = before.after_prune(operation)
    else:
        done = before.after_purge(operation)
    return {"done": done, "not done": before} if was_killed else {"done": done}


def choose(
    rng: Random,
    number: int,
    kind: str,
    nodes: Iterator[str],
    seconds_to_start: float,
    retained: Retained,
    as_of: datetime,
) -> Attack:
    """Choose what to kill and when."""
    is_whole_group = number % PYTHON_ALONE_EVERY != 0
    if kind == "operation":
        return operation_attack(rng, retained, as_of, is_whole_group)
    command = ["build", "--vars", json.dumps({"sync_logs_as_of": as_of.isoformat()})]
    if number % FULL_REFRESH_EVERY == 0:
        command.insert(1, "--full-refresh")
    if kind == "start-up":
        moment = Moment(None, rng.uniform(0.5, seconds_to_start), is_whole_group)
    elif kind == "commit":
        seconds = rng.choice((0, rng.uniform(0, 0.3)))
        moment = Moment(start_of("sync_load_current"), seconds, is_whole_group)
    elif kind == "migration":
        # the migration adds columns for some seconds, then replays every run
        moment = Moment(MIGRATING, rng.uniform(0, 6), is_whole_group)
    else:
        seconds = rng.uniform(0.05, 2) if kind == "inside" else 0
        moment = Moment(start_of(next(nodes)), seconds, is_whole_group)
    is_first = kind == "migration" or number % FRESH_EVERY == 0
    return Attack(kind, tuple(command), moment, is_first=is_first)


def operation_attack(
    rng: Random, retained: Retained, as_of: datetime, is_whole_group: bool
) -> Attack:
    """Kill an operation that has something to do."""
    name = OPERATIONS[rng.randrange(len(OPERATIONS))]
    moment = Moment(FOUND, rng.uniform(0.5, 20), is_whole_group)
    operation: Prune | Purge | None = None
    arguments: dict[str, object] = {}
    if name == "prune":
        operation = next(prunes(rng, retained, as_of))
        arguments = prune_arguments(operation) | {"dry_run": False}
        macro = "prune_sync_logs"
    elif name == "purge":
        operation = some_purge(rng, retained)
        arguments = purge_arguments(operation)
        macro = "purge_record"
    else:
        macro = "sync_logs_compact"
    # YAML does not join escaped surrogate pairs
    command = ["run-operation", macro, "--args", json.dumps(arguments, ensure_ascii=False)]
    command += ["--vars", json.dumps({"sync_logs_as_of": as_of.isoformat()})]
    return Attack("operation", tuple(command), moment, operation=operation)


def prunes(rng: Random, retained: Retained, as_of: datetime) -> Iterator[Prune]:
    """Prunes that prune something, the smallest first; the last one may prune nothing."""
    for minutes in range(600, 0, -30):
        prune = Prune(as_of, retention_days=minutes / 1440)
        found = sorted(retained.runs_to_prune(prune))
        if found:
            # one sync, one organisation, or all
            organization_id, sync_id = rng.choice(found)
            yield rng.choice(
                (
                    replace(prune, organization_id=organization_id, sync_id=sync_id),
                    replace(prune, organization_id=organization_id),
                    prune,
                )
            )
    yield Prune(as_of, retention_days=0)


def some_purge(rng: Random, retained: Retained) -> Purge:
    """A purge of an existing record."""
    rows = [row for row in retained.tables()["sync_records"] if row["identifier"] is not None]
    row = rng.choice(rows)
    sync_id = rng.choice((None, str(row["sync_id"])))
    return Purge(str(row["organization_id"]), str(row["identifier"]), sync_id)


def growing_steps(count: int) -> list[Step]:
    """Steps of a lake in which new histories begin from time to time while others continue."""
    times = tuple(DAY_ONE + timedelta(minutes=100 + 20 * number) for number in range(count))
    steps = []
    histories = [
        many_histories(range(FIRST_SEED + one, FIRST_SEED + one + 1), times[:5])
        for one in range(count // MOMENTS_PER_HISTORY + 1)
    ]
    for number, as_of in enumerate(times):
        parts = [part for part in parts_at(histories, number) if part is not None]
        writes = tuple(file for part in parts for file in part.writes)
        deletes = tuple(path for part in parts for path in part.deletes)
        steps.append(Step(writes, deletes, as_of))
    return steps


def parts_at(histories: list[ManyHistories], number: int) -> Iterator[Step | None]:
    """What each history contributes to a step."""
    for position, history in enumerate(histories):
        own_number = number - position * MOMENTS_PER_HISTORY
        yield history.steps[own_number] if 0 <= own_number < len(history.steps) else None


def nodes_of_a_build(folder: Path) -> tuple[list[str], float]:
    """Build once without a kill; return the names of all nodes and the seconds until the first."""
    began = time.monotonic()
    seconds_to_start = None
    nodes = []
    as_of = json.dumps({"sync_logs_as_of": (DAY_ONE + timedelta(minutes=100)).isoformat()})
    with start(folder, "build", "--vars", as_of) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if " START " in line:
                seconds_to_start = seconds_to_start or time.monotonic() - began
                words = line.split(" START ")[1].rstrip("[RUN] \n").rstrip(".").split()
                nodes.append(words[-1].split(".")[-1])
        # the exit code is 1 if the lake has broken files, because the tests that name them fail
        assert process.wait() in (0, 1)
    assert "sync_load_current" in nodes
    assert seconds_to_start is not None
    return nodes, seconds_to_start


def home_of_old_version(folder: Path) -> Path:
    """A home with the stored state, as if it were at `folder/home`."""
    home, old_home, stored = folder / "home", folder / "old_home", folder / "stored"
    script = Path(__file__).parents[1] / "helpers" / "old_state.py"
    arguments = [sys.executable, str(script), str(home), str(stored)]
    modules = {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(arguments, env=environment(folder) | modules, check=True)
    return home.rename(old_home)


def tell(capfd: pytest.CaptureFixture[str], line: str) -> None:
    """Print progress immediately."""
    with capfd.disabled():
        print(line, flush=True)


def test_every_kind_of_moment_comes_with_every_way_to_kill() -> None:
    turns = {
        (kind, number % PYTHON_ALONE_EVERY == 0)
        for number, kind in enumerate(islice(cycle(KINDS), 50), start=1)
    }
    assert turns == {(kind, alone) for kind in KINDS for alone in (True, False)}
