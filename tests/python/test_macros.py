"""How the macros are kept: what is private to a file, and what is described."""

import re
from pathlib import Path

from project import PROJECT

DEFINED = re.compile(r"\{%-? *macro (\w+)\(")
CALLED = re.compile(r"sync_logs\.(_\w+)")


def files() -> list[Path]:
    """All files that can call a macro."""
    found = [
        file for folder in ("macros", "models", "tests") for file in PROJECT.glob(f"{folder}/**/*")
    ]
    return [file for file in found if file.suffix in (".sql", ".yml")]


def test_a_private_macro_is_called_in_its_own_file_only() -> None:
    called_elsewhere = {
        (name, file.name)
        for file in files()
        for name in CALLED.findall(file.read_text())
        if name not in DEFINED.findall(file.read_text())
    }
    assert called_elsewhere == set()


def test_each_macro_has_one_name() -> None:
    names = [name for file in files() for name in DEFINED.findall(file.read_text())]
    assert sorted(names) == sorted(set(names))
