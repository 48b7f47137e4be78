"""The table of figures and targets."""

import os
import platform
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """One measured ratio and its target; a figure for information has no target."""

    measure: str
    value: float
    target: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the target is reached."""
        if self.target is None:
            return ""
        return "reached" if self.value <= self.target else "missed"


def table(figures: list[Figure]) -> str:
    """A Markdown table that is readable as plain text."""
    rows = [("measure", "figure", "target", "verdict", "from")]
    for one in figures:
        target = "" if one.target is None else f"≤ {one.target:g}"
        rows.append((one.measure, f"{one.value:.3g}", target, one.verdict, one.note))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def machine() -> str:
    """The machine and the versions that the figures were measured on."""
    memory = (
        int(Path("/proc/meminfo").read_text().split()[1]) / 2**20
        if Path("/proc/meminfo").exists()
        else 0
    )
    versions = ", ".join(
        f"{name} {version(name)}" for name in ("pyspark", "dbt-core", "dbt-spark", "duckdb")
    )
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()}, "
        f"Python {platform.python_version()}, {versions}"
    )


def heading(records: int) -> str:
    """The heading of a report."""
    return f"## {date.today().isoformat()}: {records:,} records\n\n{machine()}"
