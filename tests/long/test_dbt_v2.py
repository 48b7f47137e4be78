"""dbt v2 compiles the same queries as dbt 1 and builds, where it has its driver of Spark."""

import re
from pathlib import Path

import pytest
import yaml
from dbt.cli.main import dbtRunner

from helpers.dbt_v2 import copy_for_v2, run_v2
from helpers.project import HOSTILE, PROJECT, of_server, run_checks
from scripts.serve.process import running

EVERYTHING = ("--select", "fqn:*")
# what dbt v2 says if it cannot download the driver, which it does at its first connection
NO_DRIVER = "HTTP error"
# the start of the command
MOMENT = re.compile(r"\b20\d\d-?\d\d-?\d\dT[\d:.]+(_\w{8}|Z)")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project for dbt v2."""
    return copy_for_v2(tmp_path)


def test_the_compiled_queries_are_the_same(
    v2: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_hooks(project)
    is_compiled, said = run_v2(v2, project, "compile", *EVERYTHING)
    assert is_compiled, said
    # it runs no Python models either, and asks the server for nothing
    monkeypatch.setenv("SYNC_LOGS_TARGET", "thrift")
    folders = ["--project-dir", str(project), "--profiles-dir", str(PROJECT / "profiles")]
    folders += ["--target-path", str(tmp_path / "target"), "--log-path", str(tmp_path / "logs")]
    done = dbtRunner().invoke(["compile", *EVERYTHING, "--no-populate-cache", "--quiet", *folders])
    assert done.success, done.exception
    queries = queries_in(project / "target")
    assert queries == queries_in(tmp_path / "target")
    assert len(queries) > 200


def test_a_build_has_the_tables_of_the_specification(
    v2: Path, project: Path, tmp_path: Path
) -> None:
    is_connected, said = run_v2(v2, project, "debug")
    if not is_connected and NO_DRIVER in said:
        pytest.skip("dbt v2 could not download its driver of Spark")
    with running(of_server(tmp_path / HOSTILE)) as url:
        variables = {"SPARK_REMOTE": url, "SYNC_LOGS_CONNECT_PORT": url.rpartition(":")[2]}
        run_checks("long.dbt_v2_checks", tmp_path, project, variables=variables)


def without_hooks(project: Path) -> None:
    """Leave out the hooks: dbt v2 connects for them in `compile`, where they do nothing."""
    file = project / "dbt_project.yml"
    configuration = yaml.safe_load(file.read_text())
    for hook in ("on-run-start", "on-run-end"):
        del configuration[hook]
    file.write_text(yaml.safe_dump(configuration))


def queries_in(target: Path) -> dict[str, str]:
    """The compiled queries by file, apart from spaces, quotes and the time of the command."""
    return {
        path.name: MOMENT.sub("MOMENT", " ".join(path.read_text().replace("`", "").split()))
        for path in (target / "compiled" / "sync_logs").rglob("*.sql")
    }
