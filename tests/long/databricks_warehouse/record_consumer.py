"""Runs builds and a purge of the example project that uses the package, as `record` does.

Arguments: the project of the package, a folder to work in.
"""

import json
import shutil
import sys
from pathlib import Path

from link_packages import link_packages

from .record import Recorder

STATE = "main.analytics_sync_logs_state"
PROFILE = """
customer_analytics:
  target: dev
  outputs:
    dev:
      type: databricks
      host: unused.invalid
      http_path: /sql/1.0/warehouses/unused
      token: unused
      catalog: main
      schema: analytics
      threads: 4
"""


def main() -> None:
    """Record, and write `recorded_consumer.json` into the folder."""
    package, folder = map(Path, sys.argv[1:])
    project = folder / "consumer"
    left = shutil.ignore_patterns("dbt_packages", "lake", "target", "logs")
    shutil.copytree(package / "integration_tests", project, ignore=left)
    link_packages(project)
    (project / "profiles.yml").write_text(PROFILE)
    recorder = Recorder(project, project, folder / "of_consumer", STATE)
    recorder.run("first build", "build")
    recorder.run("next build", "build")
    purged = json.dumps({"organization_id": "7", "identifier": "a"})
    recorder.run("purge", "run-operation", "purge_record", "--args", purged)
    found = {"outcomes": recorder.outcomes, "sent": recorder.warehouse.sent}
    (folder / "recorded_consumer.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
