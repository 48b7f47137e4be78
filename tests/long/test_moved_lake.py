"""A lake at another path: builds continue with the same lake and refuse a different one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

from conftest import Warehouse
from oracle import random_history, write_all


def test_the_same_lake_is_known_by_its_files(
    warehouse: Callable[[], Warehouse], tmp_path: Path
) -> None:
    built = warehouse()
    write_all(built.lake, random_history(1))
    assert built.dbt("run"), built.failures()
    records = len(built.rows("sync_records"))
    link = tmp_path / "link"
    link.symlink_to(built.lake, target_is_directory=True)
    # through a symbolic link, as a URL with a trailing slash
    assert built.dbt("run", variables=f"{{sync_logs_lake_path: 'file://{link}/'}}")
    assert files_read(built) == (0, 0)
    moved = replace(built, lake=built.lake.rename(tmp_path / "elsewhere"))
    assert moved.dbt("run"), moved.failures()
    assert files_read(moved) == (0, 0)
    assert len(moved.rows("sync_records")) == records

    # a copy whose files have new modification times could be another lake
    copied = replace(moved, lake=tmp_path / "copied")
    copytree(moved.lake, copied.lake, copy_function=copy_bytes)
    assert not copied.dbt("run")
    assert f"was built from the lake {moved.lake}, and {copied.lake} is another one" in (
        copied.failures()
    )
    missing = replace(moved, lake=tmp_path / "mistyped")
    assert not missing.dbt("run")
    assert f"No file under {missing.lake}/sync_tracking_datasets" in missing.failures()
    assert copied.dbt("run", variables="sync_logs_lake_moved: true"), copied.failures()
    assert files_read(copied) == (0, 0)
    assert len(copied.rows("sync_records")) == records


def copy_bytes(source: str, target: str) -> None:
    Path(target).write_bytes(Path(source).read_bytes())


def files_read(built: Warehouse) -> tuple[int, int]:
    """The numbers of new and vanished files in the last build."""
    last = max(built.rows("sync_loads"), key=lambda load: str(load["started_at"]))
    return last["new_file_count"], last["vanished_file_count"]
