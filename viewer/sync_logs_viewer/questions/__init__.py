"""The queries of the viewer, the terminal and the report on the documented tables.

Each query is a SQL file here, with `:name` where a value goes. A connection puts it there as a
literal (`viewer/warehouse/literals.py`). A null switches a filter off. Tables have no schema
prefix: a connection uses the schema of the marts.
"""

from .ask import Query
from .filters import Record, RecordFilters, Run, Sync

__all__ = ["Query", "Record", "RecordFilters", "Run", "Sync"]
