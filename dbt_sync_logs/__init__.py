"""A dbt plugin for the method `session` of dbt-spark: see `plugin.py`.

dbt imports every installed module whose name begins with `dbt_`, and reads its `plugins`. They are
created only then: code that needs only the checks, such as the loader, does not wait for dbt.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "plugins":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .plugin import plugins

    return plugins
