"""`make test-faults`: small wrong edits of the project, and whether its tests see them.

It copies the project, writes a fault into the copy, runs the smallest suite that has to see it, and
takes the fault out again. A suite that passes with its fault lacks a test.
"""

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from faults import FAULTS, Fault
from faults.rounds import Round, rounds_of
from faults.suites import copied_project, faulty, one_spark, pytest
from helpers.consumer_projects import parsed
from helpers.project import PROJECT
from helpers.unit_tests import written

CAUGHT, MISSED, BROKEN = "caught", "NOT CAUGHT", "DID NOT RUN"
# exit codes of pytest; others mean that no test ran
ENDS = {0: MISSED, 1: CAUGHT}
# files whose suites need no build, so they come first
QUICK = ("viewer", "scripts", "python_loaders")


@dataclass(frozen=True)
class Outcome:
    """What the tests said to a fault."""

    fault: Fault
    end: str
    seconds: float


def main() -> int:
    """Returns the exit code: 0 if the tests see each fault."""
    parser = argparse.ArgumentParser(prog="make test-faults", description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="an expression for name, file and test")
    parser.add_argument("--sound", action="store_true", help="first run the tests without faults")
    asked = parser.parse_args()
    chosen = [
        one for one in FAULTS if re.search(asked.only, f"{one.name}: {one.file} {one.seen_by}")
    ]
    if not chosen:
        print(f"test-faults: no fault has {asked.only!r} in its name, file or test.")
        return 1
    in_unit_tests = [fault for fault in chosen if fault.is_in_unit_tests]
    others = [fault for fault in chosen if not fault.is_in_unit_tests]
    quick = [fault for fault in others if fault.file.startswith(QUICK)]
    slow = [fault for fault in others if not fault.file.startswith(QUICK)]
    begun, outcomes = time.monotonic(), []
    with copied_project() as project:
        for outcome in chain(
            alone(project, quick, asked.sound),
            in_rounds(project, in_unit_tests, asked.sound),
            alone(project, slow, asked.sound),
        ):
            outcomes.append(outcome)
            place = f"{len(outcomes):>3} of {len(chosen)}"
            told = f"{outcome.end:<11} {outcome.seconds:6.1f} s"
            print(f"test-faults: {place}  {told}  {outcome.fault.name}", flush=True)
    report(outcomes, time.monotonic() - begun)
    return int(any(one.end != CAUGHT for one in outcomes))


def report(outcomes: Sequence[Outcome], seconds: float) -> None:
    """Print what was caught, by file, and more about what was not."""
    print("\ntest-faults: what the tests saw")
    for outcome in sorted(outcomes, key=lambda one: (one.fault.file, one.fault.name)):
        print(f"  {outcome.end:<11}  {outcome.fault.file}: {outcome.fault.name}")
    for outcome in outcomes:
        if outcome.end != CAUGHT:
            fault = outcome.fault
            print(f"\n{outcome.end}: {fault.name}\n  {fault.why}\n  {fault.file}, {fault.seen_by}")
    count = sum(one.end == CAUGHT for one in outcomes)
    print(f"\ntest-faults: {count} of {len(outcomes)} faults caught in {seconds / 60:.1f} minutes")


def alone(project: Path, faults: Sequence[Fault], is_sound_first: bool) -> Iterator[Outcome]:
    """Try one fault after the other, each with its suite."""
    if is_sound_first:
        for suite in dict.fromkeys(fault.seen_by for fault in faults):
            ended = pytest(project, suite)
            if ended.returncode:
                sys.exit(f"{ended.stdout}\ntest-faults: {suite} fails without a fault.")
    for fault in faults:
        begun = time.monotonic()
        with faulty(project, [fault]):
            ended = pytest(project, fault.seen_by)
        end = ENDS.get(ended.returncode, BROKEN)
        if end == BROKEN:
            print(ended.stdout)
        yield Outcome(fault, end, time.monotonic() - begun)


def in_rounds(project: Path, faults: Sequence[Fault], is_sound_first: bool) -> Iterator[Outcome]:
    """Try faults that dbt unit tests have to see, in one Spark and several at a time."""
    if not faults:
        return
    manifest = parsed(PROJECT, profiles=PROJECT / "profiles")
    tests = written()
    rounds = rounds_of(faults, manifest, dict(tests.values()))
    with one_spark(project) as ask:
        if is_sound_first:
            for one in (sound_round(rounds, False), sound_round(rounds, True)):
                ended = ask(one.models, one.reads_tables) if one.faults else {}
                failed = [name for name, end in ended.items() if end != "pass"]
                if failed:
                    sys.exit(f"test-faults: {', '.join(failed)} fail without a fault.")
        for one in rounds:
            begun = time.monotonic()
            with faulty(project, one.faults):
                ended = ask(one.models, one.reads_tables)
            seconds = (time.monotonic() - begun) / len(one.faults)
            for fault in one.faults:
                ends = {end for name, end in ended.items() if tests[name][0] == fault.seen_by}
                # an error is no answer: the fault may be no SQL at all
                end = CAUGHT if "fail" in ends else MISSED if ends == {"pass"} else BROKEN
                yield Outcome(fault, end, seconds)


def sound_round(rounds: Sequence[Round], reads_tables: bool) -> Round:
    """All faults of several rounds, to name their models."""
    faults = [fault for one in rounds if one.reads_tables == reads_tables for fault in one.faults]
    return Round(reads_tables, faults)


if __name__ == "__main__":
    sys.exit(main())
