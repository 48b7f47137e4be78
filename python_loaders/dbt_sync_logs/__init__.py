"""A dbt plugin: makes the embedded Spark of the `session` method safe and quiet to start.

dbt imports every installed module whose name begins with `dbt_`. This one wraps the opening of a
dbt-spark connection, and what it makes of errors; it acts only on an embedded session with an
embedded Derby catalog. And it lets Python models run on connections of the method `session`,
embedded or over Spark Connect. Every other connection of any project is left as it is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dbt.plugins.manager import dbtPlugin

from .embedded import explain, prepare_once
from .python_models import register


class EmbeddedSpark(dbtPlugin):
    """Checks what an embedded Spark needs before it starts, and lets it run Python models."""

    def initialize(self) -> None:
        """Wrap the adapter; doing so twice changes nothing."""
        try:
            from dbt.adapters.spark.connections import SparkConnectionManager
        except ImportError:  # a project on another adapter
            return
        register()
        if getattr(SparkConnectionManager.open, "is_wrapped_by_sync_logs", False):
            return
        original = SparkConnectionManager.open.__func__

        def open_prepared(cls: Any, connection: Any) -> Any:
            prepare_once(connection.credentials)
            return original(cls, connection)

        open_prepared.is_wrapped_by_sync_logs = True  # type: ignore[attr-defined]  # a marker
        SparkConnectionManager.open = classmethod(open_prepared)
        original_handler = SparkConnectionManager.exception_handler

        @contextmanager
        def exception_handler(self: Any, sql: str) -> Iterator[None]:
            with explain(self.profile.credentials), original_handler(self, sql):
                yield

        SparkConnectionManager.exception_handler = exception_handler


plugins = [EmbeddedSpark]
