"""`sync-logs mcp` as a process, on a warehouse that needs no Spark."""

import sys
from collections.abc import Mapping

from helpers.project import PROJECT

# its warehouse prints, as a library might
PROGRAM = """
import sys
from sync_logs_viewer import asking, commands
from viewer.fake_warehouse import TellingWarehouse

class Talking(TellingWarehouse):
    def ask(self, query):
        print("a library has printed this", flush=True)
        return super().ask(query)

asking.warehouse_of_target = lambda *target, may_start: Talking()
commands.main_of_process(["mcp", *sys.argv[1:]])
"""
FOLDERS = ("tests", "integration_tests", "python_loaders", "viewer", ".")


def command(*options: str) -> list[str]:
    """The command line of the process."""
    return [sys.executable, "-c", PROGRAM, *options]


def environment(**variables: str) -> Mapping[str, str]:
    """The environment of the process."""
    return {"PYTHONPATH": ":".join(str(PROJECT / one) for one in FOLDERS), **variables}
