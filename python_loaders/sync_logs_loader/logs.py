"""A result log in any format: the names of its columns, and rows with the requested columns."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from sync_logs_loader.errors import InvalidRecordsError

FLAT_PAYLOAD = "key_flat_payload"
"""A column with the payload of a row, if the log has no payload column."""
IS_BROKEN = "key_is_broken"
"""Whether a row could not be read in full: no part of it may be lost silently."""


def column(name: str) -> Column:
    """A column by its exact name, whatever characters it has."""
    return F.col("`{}`".format(name.replace("`", "``")))


class Log:
    """Rows of a DataFrame, whose columns are those of the log."""

    def __init__(self, rows: DataFrame) -> None:
        self._rows = rows

    @property
    def columns(self) -> list[str]:
        """Names of the log's columns."""
        return list(self._rows.columns)

    def rows(
        self, used: Sequence[str], payload: str | None = None, flat: Sequence[str] = ()
    ) -> DataFrame:
        """Every row, with the columns `used`, and `IS_BROKEN`.

        `payload` is the payload column among them. Without one, the values of the columns `flat`
        are the payload, as one JSON object in `FLAT_PAYLOAD`.
        """
        return self._rows.select(
            *[column(name) for name in used],
            *self.flat_payload(flat),
            F.lit(False).alias(IS_BROKEN),
        )

    def flat_payload(self, names: Sequence[str]) -> list[Column]:
        """`FLAT_PAYLOAD` with nulls, because a null field and a missing field differ."""
        if not names:
            return []
        return [json_of(F.struct(*[column(name) for name in names])).alias(FLAT_PAYLOAD)]

    def broken(self, count: int) -> InvalidRecordsError:
        """The error about rows with `IS_BROKEN`."""
        return InvalidRecordsError(
            f"Expected rows that can be read in full, but {count} cannot. Repair the log."
        )


def json_of(value: Column) -> Column:
    """JSON of a struct, map or list; times to the microsecond, as they are stored."""
    options = {
        "ignoreNullFields": "false",
        "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
        "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
    }
    return F.to_json(value, options)
