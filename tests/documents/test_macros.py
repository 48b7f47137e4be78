"""Conventions for macros: which are private to a file, and which have descriptions."""

import re
from pathlib import Path
from typing import Any

from helpers.project import PROJECT

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


def test_macros_for_users_have_described_and_typed_arguments(parsed_project: Any) -> None:
    """These are the macros that check the arguments of users, in models and in operations."""
    checks = {f"macro.sync_logs.{name}" for name in ("check_arguments", "check_operation")}
    called = {
        macro.name: macro
        for macro in parsed_project.macros.values()
        if macro.package_name == "sync_logs"
        and checks & set(macro.depends_on.macros)
        and macro.unique_id not in checks
    }
    assert len(called) == 11
    for name, macro in called.items():
        signature = re.search(rf"macro {name}\((.*?)\)", macro.macro_sql, re.S)
        assert signature, name
        arguments = [part.partition("=")[0].strip() for part in signature[1].split(",") if part]
        assert [argument.name for argument in macro.arguments] == arguments, name
        assert macro.description, name
        assert all(argument.type and argument.description for argument in macro.arguments), name
