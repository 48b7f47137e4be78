"""Random histories whose runs follow one another, as most runs do."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from .random_files import metadata_file, record_files
from .random_lakes import RUN_IDS, History, Step
from .random_words import FLAVOURS, Flavour, moment
from .writing import LakeFile, ParquetFile

# Few runs replace all records, so that builds continue from earlier builds.
_FLAVOURS = tuple(flavour for flavour in FLAVOURS if flavour.name not in ("mirror", "mixed"))
_SYNCS = ("11", "12", "13")
_STEP_COUNT = 5
_RUNS_PER_STEP = 2
_MINUTES_APART = 50


def orderly_history(seed: int) -> History:
    """Create a history in which each step adds the next runs, and sometimes a late file."""
    rng = Random(seed)
    writes: list[list[LakeFile]] = [[] for _ in range(_STEP_COUNT)]
    # other draws do not depend on it
    faults = Random(f"faults of {seed}")
    for sync in _SYNCS:
        flavour = rng.choice(_FLAVOURS)
        resent: tuple[Mapping[str, object], ...] = ()
        for number, run in enumerate(rng.sample(RUN_IDS, _STEP_COUNT * _RUNS_PER_STEP)):
            step = number // _RUNS_PER_STEP
            folder = f"sync_tracking_datasets/1/{sync}/{run}"
            files = _run(rng, folder, flavour, number * _MINUTES_APART)
            files, resent = _with_faults(faults, files, resent)
            for file in files:
                is_late = step + 1 < _STEP_COUNT and rng.random() < 0.05
                writes[step + is_late].append(file)
    times = [moment(rng, 100 * number, 100 * number + 90) for number in range(1, _STEP_COUNT + 1)]
    steps = tuple(Step(tuple(files), (), at) for files, at in zip(writes, times, strict=True))
    return History(tuple(file for files in writes for file in files), steps)


def _run(rng: Random, folder: str, flavour: Flavour, start: int) -> list[LakeFile]:
    files = record_files(rng, folder, flavour, start, False)
    if not files or rng.random() < 0.5:
        return [*files, metadata_file(rng, folder, start)]
    return files


def _with_faults(
    rng: Random, files: list[LakeFile], resent: tuple[Mapping[str, object], ...]
) -> tuple[list[LakeFile], tuple[Mapping[str, object], ...]]:
    """Add the rows that are sent again to a file, or reject one with all its rows.

    Returns the files, and the rows to send again in the next run.
    """
    of_rows = [n for n, file in enumerate(files) if isinstance(file, ParquetFile) and file.rows]
    if not of_rows:
        return files, resent
    number = rng.choice(of_rows)
    file = files[number]
    assert isinstance(file, ParquetFile)
    changed = list(files)
    if resent:
        times = {name: file.rows[0][name] for name in ("batch_started_at", "batch_ended_at")}
        accepted = {"status": "succeeded", "status_message": None, **times}
        some = tuple({**row, **accepted} for row in resent if rng.random() < 0.8)
        changed[number] = replace(file, rows=(*file.rows, *some))
        return changed, ()
    if rng.random() < 0.5:
        return files, ()
    refused = {"status": "rejected", "status_message": rng.choice(("rate limit", "", "no: 42"))}
    rows = tuple({**row, **refused} for row in file.rows)
    # sometimes one row was accepted, or has its own time
    if rng.random() < 0.3:
        rows = (
            {**rows[0], **rng.choice(({"status": "succeeded"}, {"batch_ended_at": None}))},
            *rows[1:],
        )
    changed[number] = replace(file, rows=rows)
    return changed, rows
