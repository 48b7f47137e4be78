"""The examples of failure patterns in docs/answers.md, and more of them beside this file."""

import re
from dataclasses import dataclass
from pathlib import Path

PAGES = (
    Path(__file__).parents[2] / "docs" / "answers.md",
    Path(__file__).with_suffix(".md"),
)
HEADER = "| destination | reason | payload | identifier | pattern |"


@dataclass(frozen=True)
class PatternExample:
    """A row of the table: a failed changelog row, and the pattern of its reason."""

    destination: str
    reason: str
    payload: str | None
    identifier: str | None
    pattern: str


def examples() -> list[PatternExample]:
    """Read the examples; an empty cell is null."""
    return [example for page in PAGES for example in _examples_of(page)]


def _examples_of(page: Path) -> list[PatternExample]:
    _, _, table = page.read_text(encoding="utf-8").partition(HEADER)
    found = []
    # The first line is the rest of the header, the second one is the ruler.
    for line in table.splitlines()[2:]:
        if not line.startswith("|"):
            break
        cells = [_content(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        destination, reason, payload, identifier, pattern = cells
        found.append(
            PatternExample(destination, reason, payload or None, identifier or None, pattern)
        )
    return found


def _content(cell: str) -> str:
    """Return the text of a cell without the backticks around it."""
    return cell.strip().removeprefix("`").removesuffix("`").replace(r"\|", "|")
