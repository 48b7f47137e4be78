"""Macros of the project, called without dbt and without Spark."""

import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2

from helpers.project import PROJECT

JINJA = jinja2.Environment(extensions=["jinja2.ext.do"], undefined=jinja2.StrictUndefined)


class StoppedError(Exception):
    """What a macro raised."""


class ReturnedError(Exception):
    """The value that a macro returned; dbt's `return` works in the same way."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


@cache
def files_of_macros() -> dict[str, Path]:
    """The file of each macro, by name."""
    return {
        name: file
        for file in (PROJECT / "macros").rglob("*.sql")
        for name in re.findall(r"{% macro (\w+)\(", file.read_text())
    }


class Macros:
    """The macros of the project; those that are given replace the ones of the same name."""

    def __init__(self, given: dict[str, Any], **context: Any) -> None:
        self._given = given
        self.warned: list[str] = []
        self._context = {
            "sync_logs": self,
            "execute": True,
            "exceptions": SimpleNamespace(
                raise_compiler_error=self._stop, warn=lambda text: self.warned.append(text)
            ),
            "modules": SimpleNamespace(re=re),
            "return": self._return,
            # nothing is dropped for a command that only shows something
            "flags": SimpleNamespace(WHICH="show"),
            "adapter": SimpleNamespace(dispatch=self._dispatched),
            "var": context.pop("variables", {}).get,
            **context,
        }

    def __getattr__(self, name: str) -> Any:
        if name in self._given:
            value = self._given[name]
            return value if callable(value) else lambda *_args, **_more: value
        if name not in files_of_macros():
            raise AttributeError(name)
        # Jinja does not export a private macro, but a name that is set
        text = f"{files_of_macros()[name].read_text()}{{% set called = {name} %}}"
        module = JINJA.from_string(text).make_module(self._context)
        return self._called(module.called)  # type: ignore[attr-defined]  # set in the text

    @staticmethod
    def _called(macro: Any) -> Any:
        def call(*args: Any, **more: Any) -> Any:
            try:
                return macro(*args, **more)
            except ReturnedError as returned:
                return returned.value

        return call

    def _dispatched(self, name: str, _package: str) -> Any:
        return getattr(self, f"default__{name}")

    @staticmethod
    def _stop(message: str) -> None:
        raise StoppedError(message)

    @staticmethod
    def _return(value: object) -> None:
        raise ReturnedError(value)
