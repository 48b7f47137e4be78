"""Random histories whose runs follow one another, as most runs do."""

from random import Random

from .random_files import metadata_file, record_files
from .random_lakes import RUN_IDS, History, Step
from .random_words import FLAVOURS, Flavour, moment
from .writing import LakeFile

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
    for sync in _SYNCS:
        flavour = rng.choice(_FLAVOURS)
        for number, run in enumerate(rng.sample(RUN_IDS, _STEP_COUNT * _RUNS_PER_STEP)):
            step = number // _RUNS_PER_STEP
            folder = f"sync_tracking_datasets/1/{sync}/{run}"
            for file in _run(rng, folder, flavour, number * _MINUTES_APART):
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
