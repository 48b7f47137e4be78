"""What is looked at on a Spark Connect server: in a process of its own, as Spark demands it."""

import sys
from pathlib import Path

import python_model_project
from audited_lake import FINDINGS, findings_of, write_lake
from conftest import Warehouse


def main(folder: Path) -> None:
    """Build the whole project, then the small one with failing Python models."""
    built = Warehouse("on_connect", folder / "lake", folder / "target")
    write_lake(built.lake)
    assert not built.dbt("build")
    expected = ["assert_every_file_is_readable", "assert_no_file_is_empty"]
    assert built.failed() == expected, built.failures()
    assert findings_of(built) == sorted(FINDINGS)
    assert len(built.rows("sync_records")) == 4

    project = python_model_project.write_project(folder / "project")
    small = Warehouse("small_on_connect", built.lake, folder / "small_target", project)
    python_model_project.check(small)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
