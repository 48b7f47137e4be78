"""CSV: a header, RFC 4180 quotes, every value a text exactly as in the file."""

from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from sync_logs_loader.errors import InvalidRecordsError
from sync_logs_loader.logs import IS_BROKEN, Log, column

_CORRUPT = "key_corrupt_row"
# If this were the empty text, Spark would read a quoted empty text as null too.
_NULL = "\0"
_SHOWN = 60


class CsvRows(Log):
    """Rows of CSV files that have the same header; folder names (`day=…`) are columns too."""

    def __init__(self, spark: SparkSession, source: str) -> None:
        self._source = source
        files = spark.read.options(header=True, quote='"', escape='"', multiLine=True)
        header = files.csv(source).schema
        self._names = list(header.fieldNames())
        schema = T.StructType([*header.fields, T.StructField(_CORRUPT, T.StringType())])
        # Spark would read a file with another column order as if it had this order.
        checked = files.options(
            enforceSchema=False, columnNameOfCorruptRecord=_CORRUPT, nullValue=_NULL
        )
        super().__init__(checked.schema(schema).csv(source))

    @property
    def columns(self) -> list[str]:
        """Names of the header, then those of the folders."""
        return self._names

    def rows(
        self, used: Sequence[str], payload: str | None = None, flat: Sequence[str] = ()
    ) -> DataFrame:
        """Unchanged texts; a row with more or fewer cells than the header is broken.

        A quoted empty text is a value in a payload. Elsewhere it is null, because many programs
        quote every cell.
        """
        values = [
            F.nullif(column(name), F.lit("")).alias(name)
            if name != payload and isinstance(self._rows.schema[name].dataType, T.StringType)
            else column(name)
            for name in used
        ]
        is_broken = F.col(_CORRUPT).isNotNull().alias(IS_BROKEN)
        return self._rows.select(*values, *self.flat_payload(flat), is_broken)

    def broken(self, count: int) -> InvalidRecordsError:
        """Says how many rows have more or fewer cells than the header, and shows one."""
        # Spark cannot return this column alone.
        first = self._rows.where(F.col(_CORRUPT).isNotNull()).first()
        shown = "" if first is None else str(first[_CORRUPT]).strip()
        shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
        return InvalidRecordsError(
            f"Expected as many cells in each row of {self._source} as in its header, but {count} "
            f"rows have more or fewer; one begins with {shown!r}. Repair or remove such rows."
        )
