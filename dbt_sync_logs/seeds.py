"""The values of seeds on a connection of the method `session`, as literals of Spark's SQL.

dbt-spark puts them between quotes as they are: a seed stops at an apostrophe, loses backslashes,
has the string None in place of null, and rounds whole numbers of more than fifteen digits.
"""

from decimal import Decimal
from typing import Any

# more of them are not a literal of a decimal
MOST_DIGITS = 38


def register() -> None:
    """Let dbt-spark write exact literals; doing so twice changes nothing."""
    from dbt.adapters.spark.session import SessionConnectionWrapper

    original = SessionConnectionWrapper._fix_binding
    if getattr(original, "is_wrapped_by_sync_logs", False):
        return

    def exact(_: Any, value: Any) -> Any:
        literal = exact_literal(value)
        return original(value) if literal is None else literal

    exact.is_wrapped_by_sync_logs = True  # type: ignore[attr-defined]  # a marker
    SessionConnectionWrapper._fix_binding = classmethod(exact)


def exact_literal(value: Any) -> str | None:
    """The literal of a null, a text or a whole or decimal number; None for all other values."""
    if value is None:
        return "null"
    if isinstance(value, str):
        # Spark would replace ${…} by a setting, even in a literal
        escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("${", "$\\{")
        return f"'{escaped}'"
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        digits = str(value) if isinstance(value, int) else f"{value:f}"
        return digits if len(digits) <= MOST_DIGITS and digits.strip("-.0123456789") == "" else None
    return None
