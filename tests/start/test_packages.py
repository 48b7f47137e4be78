"""How packages are installed: from a package hub (here, one on this machine) or as a stand-in."""

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from helpers.project import PROJECT
from helpers.servers import running

NAME, VERSION = "metaplane/dbt_expectations", "0.10.9"
NOBODY = "http://127.0.0.1:9/"  # no service listens at the port of `discard`


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with our packages.yml, stand-ins and script, and nothing else."""
    project = tmp_path / "project"
    shutil.copytree(PROJECT / "scripts", project / "scripts")
    shutil.copy(PROJECT / "packages.yml", project)
    (project / "dbt_project.yml").write_text("name: sync_logs\n")
    return project


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    """The address of a package hub that has one version of the package, which is empty."""
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "hub"))
    )
    address = f"http://127.0.0.1:{server.server_port}/"
    write_hub(tmp_path / "hub", address)
    with running(server):
        yield address


def write_hub(folder: Path, address: str) -> None:
    described = {
        "name": "dbt_expectations",
        "packages": [],
        "downloads": {"tarball": f"{address}package.tar.gz"},
    }
    answers = {
        "index.json": [NAME],
        f"{NAME}.json": {"name": "dbt_expectations", "versions": {VERSION: described}},
    }
    for path, answer in answers.items():
        file = folder / "api" / "v1" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(answer))
    text = b"name: dbt_expectations\n"
    with tarfile.open(folder / "package.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("package/dbt_project.yml")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))


def install(project: Path, hub: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(project / "scripts" / "install_packages.py")]
    environment = os.environ | {"DBT_PACKAGE_HUB_URL": hub, "NO_PROXY": "127.0.0.1"}
    return subprocess.run(
        command, env=environment, cwd=project, capture_output=True, text=True, check=False
    )


def is_stand_in(project: Path) -> bool:
    return (project / "dbt_packages" / "dbt_expectations" / "STAND_IN.md").exists()


def test_the_hub_comes_first_and_its_package_stays(project: Path, hub: str) -> None:
    # the package replaces a stand-in
    assert install(project, NOBODY).returncode == 0
    assert is_stand_in(project)
    outcome = install(project, hub)
    assert outcome.stdout == "setup: dbt_expectations is installed from the package hub.\n"
    assert not is_stand_in(project)
    # a stand-in does not replace the package when the hub no longer answers
    outcome = install(project, NOBODY)
    assert outcome.returncode == 0
    assert "does not answer (ConnectionError); dbt_expectations in dbt_packages stays" in (
        outcome.stdout
    )
    assert not is_stand_in(project)
    # a hub without the package's archive counts as no hub
    shutil.rmtree(project / "dbt_packages")
    (project.parent / "hub" / "package.tar.gz").unlink()
    outcome = install(project, hub)
    assert outcome.stdout.startswith("setup: dbt deps failed (")
    assert outcome.stdout.count("\n") == 1
    assert is_stand_in(project)
    # dbt-core 1.12 refuses a lock that lists other packages
    assert not (project / "package-lock.yml").exists()


def test_without_the_hub_only_the_stand_in_is_installed(project: Path) -> None:
    outcome = install(project, NOBODY)
    assert outcome.stdout == (
        "setup: the package hub does not answer (ConnectionError); "
        "the stand-in for dbt_expectations is installed (see README.md).\n"
    )
    # dbt treats every folder as a package
    installed = {path.name for path in (project / "dbt_packages").iterdir()}
    assert installed == {"dbt_expectations", ".ready"}
    # a changed stand-in replaces the older one
    macro = project / "scripts" / "stand_ins" / "dbt_expectations" / "macros" / "new.sql"
    macro.write_text("{# new #}")
    assert install(project, NOBODY).returncode == 0
    assert (project / "dbt_packages" / "dbt_expectations" / "macros" / "new.sql").exists()


def test_without_both_one_line_reports_it(project: Path) -> None:
    shutil.rmtree(project / "scripts" / "stand_ins")
    outcome = install(project, NOBODY)
    assert outcome.returncode == 1
    assert outcome.stdout == ""
    (line,) = outcome.stderr.splitlines()
    assert "does not answer (ConnectionError), and there is no stand-in" in line
