"""A method of dbt's Spark adapter for macros: whether a query succeeds.

A failed query stops a macro, and before Spark 4.1 SQL has no scripts that could go on after it. So
`macros/lake/openable_paths.sql` calls `adapter.sync_logs_succeeds(query)` there.
"""

from typing import Any

from dbt_common.exceptions import DbtBaseException

from .messages import silence_handled_errors

METHOD = "sync_logs_succeeds"


def register() -> None:
    """Add the method to the Spark adapter; doing so twice changes nothing."""
    from dbt.adapters.spark.impl import SparkAdapter

    setattr(SparkAdapter, METHOD, succeeds)
    # dbt shows macros only the methods that were marked when the class was made
    SparkAdapter._available_ = SparkAdapter._available_ | {METHOD}


def succeeds(adapter: Any, sql: str) -> bool:
    """Whether Spark runs a query to its end; the error is only logged."""
    silence_handled_errors()
    try:
        adapter.execute(sql, fetch=True)
    except DbtBaseException:
        return False
    return True
