"""A warehouse that is looked for when the first tool is called.

Clients start their servers when they start themselves, which may be before `make serve`.
"""

import threading
from collections.abc import Callable, Iterator

import pyarrow as pa

from sync_logs_viewer.questions import Query
from sync_logs_viewer.warehouse import Rows, Warehouse


class LaterWarehouse:
    """Finds its warehouse when it is asked, and again until there is one."""

    def __init__(self, find: Callable[[], Warehouse]) -> None:
        """`find` may raise TargetError; each query until then raises it."""
        self._find = find
        self._found: Warehouse | None = None
        self._lock = threading.Lock()

    def ask(self, query: Query) -> pa.Table:
        """See Warehouse. Raises TargetError, too."""
        return self._warehouse().ask(query)

    def stream(self, query: Query) -> Iterator[Rows]:
        """See Warehouse. Raises TargetError, too."""
        return self._warehouse().stream(query)

    def _warehouse(self) -> Warehouse:
        with self._lock:
            if self._found is None:
                self._found = self._find()
            return self._found
