"""Small wrong edits of the project, each with the tests that have to see it: `make test-faults`.

When code moves, rewrite the `old` and `new` of its faults. When a test moves, rewrite `seen_by`.
"""

from faults.fault import Fault, FaultError
from faults.of_answers import FAULTS as OF_ANSWERS
from faults.of_commands import FAULTS as OF_COMMANDS
from faults.of_lake import FAULTS as OF_LAKE
from faults.of_loader import FAULTS as OF_LOADER
from faults.of_loads import FAULTS as OF_LOADS
from faults.of_mcp import FAULTS as OF_MCP
from faults.of_runs import FAULTS as OF_RUNS
from faults.of_sources import FAULTS as OF_SOURCES
from faults.of_state import FAULTS as OF_STATE
from faults.of_tables import FAULTS as OF_TABLES
from faults.of_viewer import FAULTS as OF_VIEWER

FAULTS: tuple[Fault, ...] = (
    *OF_LAKE,
    *OF_SOURCES,
    *OF_RUNS,
    *OF_STATE,
    *OF_ANSWERS,
    *OF_TABLES,
    *OF_LOADS,
    *OF_VIEWER,
    *OF_MCP,
    *OF_LOADER,
    *OF_COMMANDS,
)

__all__ = ["FAULTS", "Fault", "FaultError"]
