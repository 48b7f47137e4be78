"""The target `thrift` needs no extra install, and its settings have names that take effect."""

import os
import re
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import yaml

from helpers.project import PROJECT, command_line, succeeded

PREFIX = "set:hiveconf:"
# settings that dbt's plugin reads, and no server
OURS = "spark.sync_logs."


def profile(target: str) -> dict[str, Any]:
    text = (PROJECT / "profiles" / "profiles.yml").read_text()
    found: dict[str, Any] = yaml.safe_load(text)["sync_logs"]["outputs"][target]
    return found


def settings(target: str) -> dict[str, Any]:
    """The Spark settings of a target."""
    asked = profile(target)["server_side_parameters"]
    return {name: value for name, value in asked.items() if not name.startswith(OURS)}


def test_settings_have_the_names_that_a_thrift_server_accepts() -> None:
    asked = settings("thrift")
    assert [name for name in asked if not name.startswith(PREFIX)] == []
    plain = {name.removeprefix(PREFIX): value for name, value in asked.items()}
    assert plain == settings("connect")


def test_the_page_of_the_package_has_the_same_settings() -> None:
    page = (PROJECT / "docs" / "package.md").read_text()
    assert [
        name
        for name, value in settings("connect").items()
        if not re.search(rf"`{re.escape(name)}: \"?{value}\"?`", page)
    ] == []
    assert f"`{PREFIX}" in page


def test_the_client_of_a_thrift_server_is_an_extra_and_locked() -> None:
    project = (PROJECT / "pyproject.toml").read_text()
    assert re.search(r'^thrift = \["dbt-spark\[PyHive\]', project, re.MULTILINE)
    locked = names((PROJECT / "requirements.lock").read_text().splitlines())
    needed = of_extra("dbt-spark", "pyhive") + of_extra("pyhive", "hive-pure-sasl")
    assert names(needed) - locked == set()
    assert {"pyhive", "thrift", "thrift-sasl", "pure-sasl"} <= names(needed)


def of_extra(package: str, extra: str) -> list[str]:
    """The requirements of an extra of an installed package."""
    mark = re.compile(rf"""extra == ['"]{extra}['"]""")
    return [one for one in requires(package) or [] if mark.search(one)]


def names(requirements: list[str]) -> set[str]:
    """The packages in requirements, with normalised names."""
    found = (re.match(r"[\w.-]+", one) for one in requirements)
    return {re.sub(r"[._-]+", "-", one[0]).lower() for one in found if one}


def test_the_target_is_read_as_it_is_typed(tmp_path: Path) -> None:
    """`dbt parse` fails for a target whose client is not installed."""
    command = command_line(tmp_path, "parse", "--quiet", "--no-partial-parse")
    succeeded(command, os.environ | {"SYNC_LOGS_TARGET": "thrift"})
