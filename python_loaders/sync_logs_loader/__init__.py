"""PySpark loaders: they write any reverse-ETL result log in the lake layout of dbt-sync-logs.

`load_log` and `load_facts` are the library. `sync-logs load` is the command line.
`sync_logs_demo` writes the demo lake with the same code.
"""

from sync_logs_loader.config import LoadConfig, RunKey
from sync_logs_loader.errors import SyncLogsLoaderError
from sync_logs_loader.facts import load_facts
from sync_logs_loader.loader import LoadSummary, RunSummary, load_log
from sync_logs_loader.schemas import Generation

__all__ = [
    "Generation",
    "LoadConfig",
    "LoadSummary",
    "RunKey",
    "RunSummary",
    "SyncLogsLoaderError",
    "load_facts",
    "load_log",
]
