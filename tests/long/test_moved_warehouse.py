"""A copied warehouse is independent: its catalog follows, and the original does not change."""

import shutil
from pathlib import Path

from helpers.project import HOSTILE, said_by_dbt
from oracle import random_history, write_all


def data_files(home: Path) -> set[str]:
    """The data files of a warehouse, by their path in it."""
    return {str(file.relative_to(home)) for file in (home / "warehouse").rglob("*.parquet")}


def test_a_copied_warehouse_is_independent(tmp_path: Path) -> None:
    home, copy = "my home", f"copy of {HOSTILE}"
    write_all(tmp_path / "lake", random_history(3))
    assert "has moved" not in said_by_dbt(tmp_path, "run", home=home)
    shutil.copytree(tmp_path / home, tmp_path / copy)
    before = data_files(tmp_path / home)

    said = said_by_dbt(tmp_path, "run", home=copy)
    assert f"has moved from {tmp_path / home} to {tmp_path / copy}" in said
    assert data_files(tmp_path / home) == before
    assert data_files(tmp_path / copy) > before

    shutil.rmtree(tmp_path / home)
    told = said_by_dbt(tmp_path, "run-operation", "sync_logs_doctor", home=copy)
    assert "has moved" not in told
    for section in ("Engine", "Settings", "Lake", "State", "What to change"):
        assert f"\n{section}\n" in told, section
    (builds,) = [line.split()[-1] for line in told.splitlines() if " builds " in line]
    assert builds == "2"
