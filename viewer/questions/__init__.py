"""What the viewer, the terminal and the report ask of the documented tables.

Each question is a file of SQL here, with `:name` where a value goes. Values are bound, never
pasted. A null switches a filter off. Tables have no schema: a connection is to that of the marts.
"""

from .ask import Query
from .filters import Record, RecordFilters, Run, Sync

__all__ = ["Query", "Record", "RecordFilters", "Run", "Sync"]
