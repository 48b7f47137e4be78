"""Values as SQL literals that no text can break out of.

Parameters of Spark would not do: the Thrift protocol has none, and with Delta Lake's parser,
Spark 4.1 drops those of other queries.
"""

import re
from collections.abc import Mapping

from sync_logs_viewer.questions.ask import Value

MARKER = re.compile(r"(?<![:\w]):([a-z_]+)")


def with_literals(sql: str, arguments: Mapping[str, Value]) -> str:
    """The SQL of a query with literals in place of its markers. Raises KeyError.

    A text is written as the hexadecimal digits of its UTF-8. Nothing in it is read as SQL, however
    client and server handle quotes, and Spark still pushes the comparison down to the files.
    """
    return MARKER.sub(lambda marker: literal(arguments[marker.group(1)]), sql)


def named(name: str) -> str:
    """A name as SQL: a schema may have a dash in it."""
    return "`" + name.replace("`", "``") + "`"


def literal(value: Value) -> str:
    """One value as SQL."""
    if value is None:
        return "null"
    if isinstance(value, int):
        # a boolean is an integer, too
        return str(value).lower()
    return f"cast(X'{value.encode('utf-8').hex()}' as string)"
