"""Two builds at once on one server: one of them publishes nothing, or both are right.

SYNC_LOGS_FILE_FORMAT sets the format of the tables. Spark does not keep two writers of a parquet
table apart, so builds of that format need the lock of one machine (`one_build.py`).
"""

from pathlib import Path

import pytest

from helpers.project import FILE_FORMAT, of_server, run_checks
from scripts.serve.process import running

pytestmark = pytest.mark.skipif(
    FILE_FORMAT == "parquet", reason="SYNC_LOGS_FILE_FORMAT is neither delta nor iceberg"
)


def test_two_builds_at_once_never_publish_wrong_rows(tmp_path: Path) -> None:
    with running(of_server(tmp_path / "home", "3g")) as url:
        run_checks("long.two_builds_checks", tmp_path, variables={"SPARK_REMOTE": url})
