"""The documents for readers, and the examples in them."""

import re
from pathlib import Path

from helpers.project import PROJECT

DOCUMENTS = [
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted(PROJECT.glob("docs/**/*.md")),
]
BIN = ".venv/bin/"


def blocks(document: Path, language: str) -> list[str]:
    """The code blocks of a document in a language."""
    text = document.read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(*documents: Path) -> list[str]:
    """Every line of the shell blocks, without comments and without the path of the environment."""
    lines = "".join(
        block for document in documents or DOCUMENTS for block in blocks(document, "bash")
    ).splitlines()
    bare = [line.split("  #")[0].split(" # ")[0].strip() for line in lines]
    return [line.removeprefix(BIN).replace(" --profiles-dir profiles", "") for line in bare if line]


def rows_under(document: Path, heading: str) -> list[list[str]]:
    """The cells of the tables under a heading, without the header rows."""
    section = re.split(rf"^#+ {re.escape(heading)}\n", document.read_text(), flags=re.MULTILINE)[1]
    lines = [
        line
        for line in re.split(r"^#", section, flags=re.MULTILINE)[0].splitlines()
        if line[:1] == "|"
    ]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rules = [number for number, row in enumerate(cells) if set("".join(row)) <= set("- ")]
    heads = {number - 1 for number in rules} | set(rules)
    return [row for number, row in enumerate(cells) if number not in heads]


def anchors(document: Path) -> set[str]:
    """The anchors in a document, as GitHub derives them from headings."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}
