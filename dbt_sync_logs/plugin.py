"""The dbt plugin: makes the embedded Spark of the `session` method safe and quiet to start.

It wraps the opening of a dbt-spark connection: it checks and starts an embedded session with an
embedded Derby catalog, and checks that a Spark Connect server answers. On all connections of the
method `session` it prints Spark's errors without plans and stack traces, lets Python models run,
and writes the values of seeds as they are. Macros can ask it whether a query succeeds. It does not
change any other connection of any project.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dbt.plugins.manager import dbtPlugin

from . import python_models, seeds, tried_queries
from .embedded import embedded_home, is_session, name_profile, prepare_once
from .messages import explain


class EmbeddedSpark(dbtPlugin):
    """Checks what an embedded Spark needs before it starts, and makes it run Python models."""

    def initialize(self) -> None:
        """Wrap the adapter; doing so twice changes nothing."""
        try:
            from dbt.adapters.spark.connections import SparkConnectionManager
        except ImportError:  # a project on another adapter
            return
        python_models.register()
        seeds.register()
        tried_queries.register()
        if getattr(SparkConnectionManager.open, "is_wrapped_by_sync_logs", False):
            return
        original_init = SparkConnectionManager.__init__

        def init_named(self: Any, profile: Any, *others: Any) -> None:
            name_profile(profile)
            original_init(self, profile, *others)

        SparkConnectionManager.__init__ = init_named
        original = SparkConnectionManager.open.__func__

        def open_prepared(cls: Any, connection: Any) -> Any:
            prepare_once(connection.credentials)
            return original(cls, connection)

        open_prepared.is_wrapped_by_sync_logs = True  # type: ignore[attr-defined]  # a marker
        SparkConnectionManager.open = classmethod(open_prepared)
        original_handler = SparkConnectionManager.exception_handler

        @contextmanager
        def exception_handler(self: Any, sql: str) -> Iterator[None]:
            credentials = self.profile.credentials
            if not is_session(credentials):
                with original_handler(self, sql):
                    yield
                return
            with explain(embedded_home(credentials)), original_handler(self, sql):
                yield

        SparkConnectionManager.exception_handler = exception_handler


plugins = [EmbeddedSpark]
