"""One more run on a history of 1,000 runs, and on one of ten."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.builds import Build, Place, fastest
from scripts.bench.lakes import Shape, add_run, write_lake
from scripts.bench.progress import say, say_nodes
from scripts.bench.report import Figure

LONG = Shape(sync_count=1, run_count=1000, table_size=1500)
SHORT = Shape(sync_count=1, run_count=10, table_size=1500)


@dataclass(frozen=True)
class Grown:
    """Seconds of one more run on each history, and of the floor for the short one."""

    short: float
    long: float
    plain: float

    @property
    def figure(self) -> Figure:
        """Whether the cost of a run depends only on what is new, whatever the history."""
        return Figure(
            "one more run, on 1,000 runs ÷ on 10",
            self.long / self.short,
            1.1,
            f"{self.long:.1f} s ÷ {self.short:.1f} s",
        )


def grow_histories(folder: Path) -> Grown:
    """Build both in a folder, add runs and remove both. Raises `BuildFailedError`."""
    shapes = {"short": SHORT, "long": LONG}
    places = {name: Place(folder / f"{name}_lake", folder / f"{name}_home") for name in shapes}
    for name, shape in shapes.items():
        say(f"writing a history of {shape.run_count:,} runs")
        write_lake(places[name].lake, shape)
    say("building both, which is not timed")
    with ThreadPoolExecutor() as builds:
        list(builds.map(Place.run, places.values()))
    found: dict[str, list[Build]] = {name: [] for name in shapes}
    # alternate, so that a machine that slows down affects both
    for number in range(2):
        for name, shape in shapes.items():
            say(f"one more run on {shape.run_count + number:,} runs")
            add_run(places[name].lake, shape, number, shape.news)
            found[name].append(places[name].run())
    say("plain Spark SQL builds the tables of the short one, in a Spark that has just started")
    plain = places["short"].plain_alone().seconds
    best = {name: fastest(times) for name, times in found.items()}
    for name, place in places.items():
        say_nodes(best[name])
        shutil.rmtree(place.home)
        shutil.rmtree(place.lake)
    return Grown(best["short"].seconds, best["long"].seconds, plain)
