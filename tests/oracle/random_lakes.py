"""Seeded random histories of a lake. They are hard: small pools, ties, odd files, odd order."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from .random_files import fact_files, metadata_file, record_files
from .random_words import DAY_ONE, FLAVOURS, Flavour, moment
from .writing import LakeFile, ParquetFile, write_file

ORGANISATIONS = ("1", "org 2")
SYNCS = ("11", "12", "s-7", "sync b")
RUN_IDS = (
    *("9", "10", "100", "2", "09", "99999999999999999999", "9" * 38, "9" * 39, "1" + "0" * 39),
    *("run-a", "Run b", "r\u00fcn", "50%25", "0x1", "\u0663", "1.5"),
)


@dataclass(frozen=True)
class Step:
    """The changes to the lake before one build: files written, then files deleted."""

    writes: tuple[LakeFile, ...]
    deletes: tuple[str, ...]
    as_of: datetime


@dataclass(frozen=True)
class History:
    """The final version of every file, and the steps that write them.

    Builds after each step must end in the same tables as one build of all `files` at the last
    `as_of`.
    """

    files: tuple[LakeFile, ...]
    steps: tuple[Step, ...]

    @property
    def as_of(self) -> datetime:
        """The time of the last build."""
        return self.steps[-1].as_of


def write_all(root: str | Path, history: History) -> None:
    """Write the final version of every file of a history in one step."""
    Path(root).mkdir(parents=True, exist_ok=True)
    for file in history.files:
        write_file(root, file)


def apply_step(root: str | Path, step: Step) -> None:
    """Write and delete the files of one step."""
    Path(root).mkdir(parents=True, exist_ok=True)
    for file in step.writes:
        write_file(root, file)
    for path in step.deletes:
        (Path(root) / path).unlink()


def random_history(seed: int, has_unreadable_files: bool = False) -> History:
    """Create a small history; the same seed gives the same history.

    By default there are no unreadable files, because a build that finds one reports it.
    """
    rng = Random(seed)
    finals: list[LakeFile] = []
    drafts: dict[str, LakeFile] = {}
    organisations = ORGANISATIONS[: rng.randint(1, 2)]
    for organisation in organisations:
        # Organisations draw from the same ids, because they must not share anything.
        for sync in rng.sample(SYNCS, rng.randint(2, 4) // len(organisations)):
            flavour = rng.choice(FLAVOURS)
            # Runs start one after another and overlap, or all start at about the same time.
            minutes_apart = rng.choice((30, 30, 0))
            for position, run in enumerate(rng.sample(RUN_IDS, rng.randint(1, 10))):
                folder = f"sync_tracking_datasets/{organisation}/{sync}/{run}"
                start = position * minutes_apart
                _add_run(rng, folder, flavour, start, has_unreadable_files, finals, drafts)
        _add_facts(rng, organisation, finals, drafts)
    return History(tuple(finals), _random_steps(rng, finals, drafts))


def _add_run(
    rng: Random,
    folder: str,
    flavour: Flavour,
    start: int,
    has_unreadable_files: bool,
    finals: list[LakeFile],
    drafts: dict[str, LakeFile],
) -> None:
    files = record_files(rng, folder, flavour, start, has_unreadable_files)
    if not files or rng.random() < 0.75:
        finals.append(metadata_file(rng, folder, start))
        if rng.random() < 0.4:
            drafts[finals[-1].path] = metadata_file(rng, folder, start)
    finals.extend(files)
    for file, draft in zip(files, record_files(rng, folder, flavour, start, False), strict=False):
        if file.path == draft.path and rng.random() < 0.3:
            drafts[file.path] = draft


def _add_facts(
    rng: Random, organisation: str, finals: list[LakeFile], drafts: dict[str, LakeFile]
) -> None:
    finals.extend(fact_files(rng, organisation))
    for draft in fact_files(rng, organisation):
        if any(file.path == draft.path for file in finals):
            drafts[draft.path] = draft


def _random_steps(
    rng: Random, finals: list[LakeFile], drafts: dict[str, LakeFile]
) -> tuple[Step, ...]:
    step_count = rng.randint(1, 5)
    writes: list[list[LakeFile]] = [[] for _ in range(step_count)]
    deletes: list[list[str]] = [[] for _ in range(step_count)]
    for file in finals:
        written = rng.randrange(step_count)
        writes[written].append(file)
        if file.path in drafts and written > 0:
            writes[rng.randrange(written)].append(drafts[file.path])
        # Only files that a build has seen may vanish, because no build can remember others.
        if written < step_count - 1 and rng.random() < 0.2:
            deletes[rng.randint(written + 1, step_count - 1)].append(file.path)
    for files in writes:
        rng.shuffle(files)
    times = _random_times(rng, step_count, finals)
    return tuple(
        Step(tuple(files), tuple(paths), as_of)
        for files, paths, as_of in zip(writes, deletes, times, strict=True)
    )


def _random_times(rng: Random, count: int, finals: list[LakeFile]) -> list[datetime]:
    # The runs cover about five hours of day one. Many builds are during the runs or just after.
    times = sorted(moment(rng, 0, 420) for _ in range(count))
    rows = [row for file in finals if isinstance(file, ParquetFile) for row in file.rows]
    ended = [time for row in rows if isinstance(time := row.get("batch_ended_at"), datetime)]
    chance = rng.random()
    if chance < 0.3:
        times[-1] = DAY_ONE + timedelta(days=rng.randint(2, 40))
    elif chance < 0.7 and ended:
        # Exactly at the limit, a run is not settled yet.
        last = rng.choice(ended) + timedelta(minutes=60)
        times = [*(min(time, last) for time in times[:-1]), last]
    return times
