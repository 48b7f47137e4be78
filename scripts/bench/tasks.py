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
    """Sums over the tasks of a period: seconds of cores, bytes shuffled and spilled to disk."""

    core_seconds: float
    shuffle_bytes: int
    spilled_bytes: int
    task_count: int


def write_settings(folder: Path) -> None:
    """Write a folder for `SPARK_CONF_DIR`, which makes Spark log events to a folder in it."""
    events = folder / "events"
    events.mkdir(parents=True)
    text = SETTINGS.format(folder=events.absolute().as_uri())
    (folder / "spark-defaults.conf").write_text(text)


def work_between(folder: Path, began: float, ended: float) -> Work:
    """What tasks did that ended between two times, in seconds since 1970."""
    tasks = [
        task
        for task in _tasks(folder / "events")
        if began <= task["Task Info"]["Finish Time"] / 1000 <= ended and task.get("Task Metrics")
    ]
    metrics = [task["Task Metrics"] for task in tasks]
    return Work(
        core_seconds=sum(one["Executor Run Time"] for one in metrics) / 1000,
        shuffle_bytes=sum(one["Shuffle Write Metrics"]["Shuffle Bytes Written"] for one in metrics),
        spilled_bytes=sum(one["Disk Bytes Spilled"] for one in metrics),
        task_count=len(tasks),
    )


def _tasks(events: Path) -> Iterator[dict[str, Any]]:
    for log in events.iterdir():
        with log.open() as lines:
            # the last line of a Spark that still runs may be half a line
            yield from (json.loads(one) for one in lines if _is_whole_task(one))


def _is_whole_task(line: str) -> bool:
    return line.startswith('{"Event":"SparkListenerTaskEnd"') and line.endswith("}\n")
