"""The hostile lake grows, and some of its faults end: only what changed is read again."""

import shutil
from collections.abc import Callable
from pathlib import Path

from builds.hostile_files import DAMAGED, repair, whole_file
from builds.hostile_texts import hostile_texts
from builds.hostile_types import expected_types
from builds.test_hostile_lake import (
    DAMAGED_RUN,
    LEAVES,
    RECORDS,
    VARIABLES,
    build_hostile_lake,
    damaged_rows,
    differing_texts,
    expected_issues,
    listed_issues,
    typed_rows,
)
from conftest import Warehouse


def test_a_repaired_file_is_read_and_a_vanished_one_is_not_missed(
    warehouse: Callable[[], Warehouse], tmp_path: Path
) -> None:
    built = warehouse()
    build_hostile_lake(built, tmp_path)
    texts = hostile_texts()
    texts.write(built.lake, texts.growth)
    texts.write(tmp_path / "texts", texts.growth)
    number = list(DAMAGED).index("truncated")
    name = f"truncated.{number}.parquet"
    repair(built.lake / DAMAGED_RUN / name, whole_file(tmp_path))
    (built.lake / DAMAGED_RUN / "text.0.parquet").unlink()
    shutil.rmtree(built.lake / RECORDS / ".o")

    assert not built.dbt("build", variables=VARIABLES)
    assert built.failed() == LEAVES, built.failures()
    gone = {f"{DAMAGED_RUN}/{name}", f"{DAMAGED_RUN}/text.0.parquet", f"{RECORDS}/.o"}
    left = {path: issue for path, issue in expected_issues().items() if path not in gone}
    assert listed_issues(built) == left
    assert differing_texts(built, tmp_path / "texts") == {}
    assert typed_rows(built) == expected_types()
    assert damaged_rows(built) == {"good.99.parquet": 3000, name: 3000}
    last = max(built.rows("sync_loads"), key=lambda row: str(row["load_id"]))
    # of the files of the first build, only the repaired one is read again
    assert last["new_file_count"] == len(texts.growth)
    assert (last["changed_file_count"], last["vanished_file_count"]) == (1, 1)
