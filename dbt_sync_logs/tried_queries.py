"""A method of dbt's Spark adapter for macros: whether a query succeeds.

A failed query stops a macro, and before Spark 4.1 SQL has no scripts that could go on after it. So
`macros/lake/openable_paths.sql` calls `adapter.sync_logs_succeeds(query)` there.
"""

from typing import Any

from dbt.adapters.events.logging import AdapterLogger

from .messages import silence_handled_errors

METHOD = "sync_logs_succeeds"


def register() -> None:
    """Add the method to the Spark adapter; doing so twice changes nothing."""
    from dbt.adapters.spark.impl import SparkAdapter

    setattr(SparkAdapter, METHOD, succeeds)
    # dbt shows macros only the methods that were marked when the class was made
    SparkAdapter._available_ = SparkAdapter._available_ | {METHOD}


def succeeds(adapter: Any, sql: str) -> bool:
    """Whether Spark runs a query to its end; the error is only in dbt's log."""
    silence_handled_errors()
    try:
        adapter.execute(sql, fetch=True)
    except Exception as error:  # rows are fetched outside of the adapter's own handler of errors
        AdapterLogger("Spark").debug(f"The tried query failed: {str(error).splitlines()[:1]}")
        return False
    return True
