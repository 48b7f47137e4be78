"""What is said of a setting `sync_logs_sources` that is not sound, when dbt parses; no Spark."""

import json
from pathlib import Path

import pytest
from dbt.cli.main import dbtRunner

from builds.called_macros import Macros, StoppedError
from helpers.project import PROJECT

SOURCE = {"name": "ht", "type": "hightouch", "schema": "hightouch_audit"}
LAKE = {"name": "lake", "type": "census_lake", "path": "/lake"}


def refused(given: object) -> str:
    """What the macros say of the setting."""
    with pytest.raises(StoppedError) as stopped:
        Macros({}, variables={"sync_logs_sources": given}).sources()
    return str(stopped.value)


def told(given: object, folder: Path) -> str:
    """What the exception of a parse says, in one line."""
    settings = json.dumps({"sync_logs_sources": given})
    profiles = str(PROJECT / "profiles")
    outcome = dbtRunner().invoke(
        [
            *("parse", "--quiet", "--no-partial-parse", "--vars", settings),
            *("--project-dir", str(PROJECT), "--profiles-dir", profiles),
            *("--target-path", str(folder), "--log-path", str(folder / "logs")),
        ]
    )
    assert not outcome.success
    return " ".join(str(outcome.exception).split())


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("hightouch", "sync_logs_sources is not a list of sources; write sync_logs_sources: [{n"),
        ([{"name": "ht", "schema": "x"}], "has an entry without a name or a type as text; write"),
        ([{**SOURCE, "name": "1st"}], 'sync_logs_sources has the name "1st"; begin with a letter'),
        (
            [{**SOURCE, "type": "Hightouch"}],
            'sync_logs_sources has the type "Hightouch" in the source ht; types are census_lake,',
        ),
        ([{**SOURCE, "table": "x"}], 'sync_logs_sources has the key "table" in the source ht;'),
        ([{"name": "ht", "type": "hightouch"}], "does not say where the source ht is; give a"),
        ([{**SOURCE, "compare": "all"}], "has compare: all in the source ht; write rows or counts"),
        (
            [SOURCE, {**SOURCE, "name": "other", "organization_id": "ht"}],
            'has the organization_id "ht" twice, in ht and other; give each source its own',
        ),
        (
            [SOURCE, {**SOURCE, "organization_id": "b"}],
            'has the name "ht" twice, in ht and ht; give',
        ),
        ([LAKE, {**LAKE, "name": "other"}], "has two sources of the type census_lake; build each"),
        ([{**LAKE, "schema": "x"}], "gives schema to the lake lake; a lake has a path, and its"),
        ([{**SOURCE, "path": "/x"}], "gives a path to the source ht of the type hightouch; give"),
    ],
)
def test_an_unsound_entry_is_refused(given: object, line: str) -> None:
    assert line in refused(given).replace("for instance ", "")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ([{"name": "ht", "schema": "x"}], "has an entry without a name or a type as text; write"),
        # only dbt knows which models there are, after it has parsed them all
        ([{**SOURCE, "type": "x"}], "depends on a node named 'int_x__arrivals' which was not"),
    ],
)
def test_an_unsound_entry_stops_the_parse_with_one_line(
    given: object, line: str, tmp_path: Path
) -> None:
    said = told(given, tmp_path)
    assert line in said
    assert "object' has no attribute" not in said
