"""THIRD_PARTY_NOTICES.md has every package that users get, in the version of the lock.

`tests/long/test_installed_wheel.py` compares it with what pip installs. No Spark.
"""

import re
import sys
from pathlib import Path

import pytest

from helpers.project import PROJECT
from scripts import notices

LOCK = (PROJECT / "requirements.lock").read_text()
PAGE = (PROJECT / "THIRD_PARTY_NOTICES.md").read_text()
# what only contributors need; docs/decisions.md has the reason for each direct one
TOOLS = {
    *("chardet", "diff-cover", "duckdb", "httpcore", "httpx", "iniconfig", "librt", "mypy"),
    *("mypy-extensions", "platformdirs", "pluggy", "pygments", "pytest", "regex", "ruff"),
    *("setuptools", "sqlfluff", "tblib", "tomli", "tqdm"),
}


def cells(page: str) -> list[list[str]]:
    lines = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line] for line in lines[1:]]


def test_the_page_is_that_of_the_lock() -> None:
    written, made = cells(PAGE), cells(notices.page(LOCK))
    if sys.version_info < (3, 11):
        # the licences are those of the newer versions
        written, made = ([row[:2] + row[3:] for row in rows] for rows in (written, made))
    assert written == made, "run: make notices"
    assert PAGE.startswith(notices.HEAD), "run: make notices"


def test_each_package_of_the_lock_is_on_the_page_or_a_tool() -> None:
    assert {row[0] for row in cells(PAGE)} | TOOLS == notices.versions_in(LOCK).keys()
    assert TOOLS.isdisjoint(row[0] for row in cells(PAGE))
    # these come with every installation, with one extra, and with several
    extras = {row[0]: row[3] for row in cells(PAGE)}
    expected = {"pyspark": "", "scipy": "clusters", "starlette": "viewer, mcp", "thrift": "thrift"}
    assert {name: extras[name] for name in expected} == expected
    assert [row for row in cells(PAGE) if not row[2] or row[2] == "not stated"] == []


def test_the_command_writes_the_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(notices, "PAGE", tmp_path / "notices.md")
    assert notices.main() == 0
    assert (tmp_path / "notices.md").read_text() == notices.page(LOCK)
    count = len(cells(PAGE))
    assert capsys.readouterr().out == f"notices: {count} packages in notices.md.\n"


def test_another_version_is_another_page() -> None:
    spark = re.compile(r"^pyspark==.*\n", re.MULTILINE)
    newer = cells(notices.page(spark.sub("pyspark==9.9.9\n", LOCK)))
    assert [row[:2] for row in newer if row not in cells(PAGE)] == [["pyspark", "9.9.9"]]
    with pytest.raises(LookupError, match="lacks pyspark"):
        notices.page(spark.sub("", LOCK))
    with pytest.raises(ValueError, match="expected name==version"):
        notices.page("pyspark>=4\n")


def test_a_licence_is_that_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stated:
        def __init__(self, **stated: object) -> None:
            self.json = stated

    mit = ["Topic :: X", "License :: OSI Approved", "License :: OSI Approved :: MIT License"]
    stated = {
        "MIT-0": Stated(license_expression="MIT-0", license="other", classifier=mit),
        "MIT License": Stated(license="Copyright\nall rights", classifier=mit),
        "3-Clause BSD": Stated(license="3-Clause BSD\nlong text", classifier=mit[:2]),
        "not stated": Stated(),
    }
    monkeypatch.setattr(notices, "metadata", stated.__getitem__)
    assert {name: notices.licence_of(name) for name in stated} == {name: name for name in stated}
