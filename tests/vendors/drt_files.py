"""The files that drt writes into its folder `.drt`, as version 1.2.1 writes them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

Line = Mapping[str, object]


def write_lines(folder: Path, sync: str, lines: Sequence[Line], cut: str = "") -> None:
    """Write a file of a sync, with a line at its end that is not whole, beside its lock."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines) + cut
    (folder / f"{sync}.jsonl").write_text(text)
    (folder / f"{sync}.jsonl.lock").touch()


def source_of(folder: Path) -> dict[str, object]:
    """The setting that docs/sources.md shows, for a folder of drt."""
    relations = {name: f"text.`{folder / name}`" for name in ("history", "dlq")}
    return {"name": "shop", "type": "drt", "relations": relations}
