"""What Spark's tasks did, from the event logs that Spark writes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETTINGS = """\
spark.eventLog.enabled true
spark.eventLog.dir {folder}
spark.eventLog.rolling.enabled false
spark.eventLog.compress false
"""


@dataclass(frozen=True)
class Work:
    """Sums over tasks: seconds of processors, bytes shuffled and spilled to disk."""

    core_seconds: float
    shuffle_bytes: int
    spilled_bytes: int
    task_count: int

    def plus(self, task: dict[str, Any]) -> "Work":
        """The sums with one more task, as Spark writes it; a lost task has no metrics."""
        metrics = task.get("Task Metrics")
        if not metrics:
            return self
        shuffled = metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
        return Work(
            core_seconds=self.core_seconds + metrics["Executor CPU Time"] / 1e9,
            shuffle_bytes=self.shuffle_bytes + shuffled,
            spilled_bytes=self.spilled_bytes + metrics["Disk Bytes Spilled"],
            task_count=self.task_count + 1,
        )


def write_settings(folder: Path) -> None:
    """Write a folder for `SPARK_CONF_DIR`, which makes Spark log events to a folder in it."""
    events = folder / "events"
    events.mkdir(parents=True)
    text = SETTINGS.format(folder=events.absolute().as_uri())
    (folder / "spark-defaults.conf").write_text(text)


class EventLogs:
    """Spark's event logs in a folder, which are read on from where the last reading ended."""

    def __init__(self, folder: Path) -> None:
        self._events = folder / "events"
        self._read: dict[Path, int] = {}

    def new_work(self) -> Work:
        """What tasks did that ended since the last call."""
        work = Work(0, 0, 0, 0)
        for task in self._new_tasks():
            work = work.plus(task)
        return work

    def _new_tasks(self) -> Iterator[dict[str, Any]]:
        for log in self._events.iterdir():
            with log.open("rb") as lines:
                lines.seek(self._read.get(log, 0))
                for line in lines:
                    # the last line of a Spark that still runs may be half a line
                    if not line.endswith(b"}\n"):
                        break
                    self._read[log] = self._read.get(log, 0) + len(line)
                    if line.startswith(b'{"Event":"SparkListenerTaskEnd"'):
                        yield json.loads(line)
