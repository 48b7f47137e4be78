"""The command `sync-logs`: its list, what each command imports, and what it says if that lacks.

test_cli.py of the loader and test_viewer_commands.py have what the commands do.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from dbt.cli import main as dbt_main

from dbt_sync_logs.command_line import COMMANDS, NAME, main
from dbt_sync_logs.doctor import OPERATION


def test_the_list_has_a_line_for_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for name, command in COMMANDS.items():
        assert f"{name} {command.about}" in lines
    for given in ([], ["nix"]):
        with pytest.raises(SystemExit) as ended:
            main(given)
        assert ended.value.code == 2
    assert "invalid choice: 'nix'" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_its_own_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: {NAME} {name} [-h]")


def lack(patch: pytest.MonkeyPatch, package: str, *importers: str) -> None:
    """Act as if a package were not installed, for modules of ours that import it."""
    patch.setitem(sys.modules, package, None)
    for name in list(sys.modules):
        if name.startswith((f"{package}.", *importers)):
            patch.delitem(sys.modules, name)


@pytest.mark.parametrize(
    ("package", "command"),
    [("starlette", "syncs"), ("uvicorn", "syncs"), ("requests", "notify"), ("mcp", "mcp")],
)
def test_a_missing_extra_is_named(
    package: str,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lack(monkeypatch, package, "sync_logs_viewer")
    assert main([command]) == 2
    extra = COMMANDS[command].extra
    assert capsys.readouterr().err == (
        f"sync-logs: {command} needs {package}, which is not installed. Install dbt-sync-logs with "
        f'its extra `{extra}`: pip install "<clone>[{extra}]".\n'
    )


def test_a_module_of_ours_that_lacks_is_no_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    lack(monkeypatch, "sync_logs_viewer")
    with pytest.raises(ModuleNotFoundError, match="sync_logs_viewer"):
        main(["syncs"])


def test_the_loader_needs_nothing_of_the_viewer() -> None:
    """In a process of its own: this one has imported everything."""
    code = (
        "import sys; from dbt_sync_logs.command_line import main\n"
        "sys.modules.update(dict.fromkeys(['starlette', 'uvicorn', 'jinja2', 'altair']))\n"
        "assert main(['load', '--lake', 'lake']) == 2\n"
        "assert not [name for name in sys.modules if name.startswith('sync_logs_viewer')]\n"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stderr
    assert "--input, --fact or both" in outcome.stderr


def test_the_doctor_is_an_operation_of_dbt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Sequence[str]] = []

    def dbt(arguments: Sequence[str]) -> Any:
        asked.append(arguments)
        raise SystemExit(3)

    monkeypatch.setattr(dbt_main, "cli", dbt)
    monkeypatch.delenv("DBT_PROFILES_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    run = ["run-operation", OPERATION, "--project-dir", str(tmp_path)]
    with pytest.raises(SystemExit, match="3"):
        main(["doctor", "--target", "prod", "--profile", "mine"])
    # a folder of profiles in the project, as in a clone
    (tmp_path / "profiles").mkdir()
    with pytest.raises(SystemExit):
        main(["doctor"])
    with pytest.raises(SystemExit):
        main(["doctor", "--profiles-dir", "elsewhere"])
    assert asked == [
        [*run, "--target", "prod", "--profile", "mine"],
        [*run, "--profiles-dir", str(tmp_path / "profiles")],
        [*run, "--profiles-dir", "elsewhere"],
    ]
