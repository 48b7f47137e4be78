"""PySpark loaders: they write any reverse-ETL result log in the lake layout of dbt-sync-logs.

`load_log` and `load_facts` are the library. `python -m python_loaders` is the command line.
`python_loaders.demo` writes the demo lake with the same code.
"""

from python_loaders.config import LoadConfig, RunKey
from python_loaders.errors import SyncLogsLoaderError
from python_loaders.facts import load_facts
from python_loaders.loader import LoadSummary, RunSummary, load_log
from python_loaders.schemas import Generation

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
