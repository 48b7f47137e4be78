"""JSON lines: each line is read as text, so that a payload keeps its keys and their spelling."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from sync_logs_loader import json_text as J
from sync_logs_loader.errors import InvalidRecordsError
from sync_logs_loader.logs import FLAT_PAYLOAD, IS_BROKEN, Log, column

_LINE = "value"
_PARSED = "key_parsed"
_CUT = "key_cut"
_SHOWN = 60
_JQ = {"[": "'.[]'", "{": "."}
"""If a file's first line is only such a bracket: the jq filter that writes one object per line."""
_TEXT = T.StringType()


@dataclass(frozen=True)
class _Content:
    keys: list[str]
    broken_count: int
    has_lists: bool


class JsonLines(Log):
    """One object per line, or lists of objects; folder names (`day=…`) are columns too.

    Raises `InvalidRecordsError` if a line is neither, before anything is written.
    """

    def __init__(self, spark: SparkSession, source: str) -> None:
        self._source = source
        lines = spark.read.text(source)
        super().__init__(lines.where(_stripped() != ""))
        self._folders = [name for name in lines.columns if name != _LINE]
        content = _content(self._rows)
        if content.has_lists:
            elements = F.explode(_elements()).alias(_LINE)
            self._rows = self._rows.select(elements, *map(column, self._folders))
            content = _content(self._rows, are_lists_broken=True)
        if content.broken_count:
            raise self.broken(content.broken_count)
        self._keys = [key for key in content.keys if key not in self._folders]

    @property
    def columns(self) -> list[str]:
        """All keys of all lines, roughly in the order of the lines, then those of the folders."""
        return [*self._keys, *self._folders]

    def rows(
        self, used: Sequence[str], payload: str | None = None, flat: Sequence[str] = ()
    ) -> DataFrame:
        """Values as texts: a string without its quotes, everything else as it is spelled.

        Without a payload column, the payload of a line has the keys of that line and no others.
        """
        keys = [name for name in used if name not in self._folders]
        schema = T.StructType([T.StructField(name, _TEXT) for name in keys])
        left_out = [key for key in self._keys if key not in flat]
        cut = _members(left_out) if payload is None else _cut(payload)
        # A separate step: Spark computes it once, however many columns are derived from it.
        parsed = self._rows.select(
            F.from_json(_LINE, schema).alias(_PARSED),
            cut.alias(_CUT),
            _LINE,
            *map(column, self._folders),
        )
        values = [
            column(name)
            if name in self._folders
            else _whole(name)
            if name == payload
            else F.col(_PARSED).getField(name).alias(name)
            for name in used
        ]
        is_object = _last_is(F.col(_CUT), "}") if payload is None else F.col(_CUT) != F.col(_LINE)
        return parsed.select(*values, *self._flat(flat), (~is_object).alias(IS_BROKEN))

    def _flat(self, names: Sequence[str]) -> list[Column]:
        if not names:
            return []
        folders = [column(name) for name in names if name in self._folders]
        of_folders = F.to_json(F.struct(*folders), {"ignoreNullFields": "false"})
        tail = [F.substring(of_folders, 2, 2**30)] if folders else []
        members = F.array_join(F.concat(_without_last(F.col(_CUT)), F.array(*tail)), ",")
        texts = [F.lit("{"), members, *([] if folders else [F.lit("}")])]
        return [F.concat(*texts).alias(FLAT_PAYLOAD)]

    def broken(self, count: int) -> InvalidRecordsError:
        """Says how many lines are not objects, and which is the first."""
        path, number, line = self._first_broken()
        shown = line if len(line) <= _SHOWN else line[:_SHOWN] + "…"
        hint = "Repair or remove such lines."
        if number == 1 and line.strip() in _JQ:
            hint = f"Write each object on one line: jq -c {_JQ[line.strip()]} FILE > FILE.jsonl"
        return InvalidRecordsError(
            f"Expected one JSON object in each line of {self._source}, but {count} lines are not "
            f"objects (or are nested deeper than {J.MAX_DEPTH}); the first is line {number} of "
            f"{path}: "
            f"{shown!r}. {hint}"
        )

    def _first_broken(self) -> tuple[str, int, str]:
        spark = self._rows.sparkSession
        lines = spark.read.text(self._source).select(_LINE, "_metadata.file_path")
        path = unquote(lines.where(_is_broken()).agg(F.min("file_path")).collect()[0][0])
        # One task reads the parts of the file in order, so the ids are line numbers.
        numbered = spark.read.text(path).coalesce(1)
        numbered = numbered.select(_LINE, F.monotonically_increasing_id().alias("number"))
        first = numbered.where(_is_broken()).orderBy("number").limit(1).collect()[0]
        return path, int(first["number"]) + 1, str(first[_LINE])


def _content(lines: DataFrame, are_lists_broken: bool = False) -> _Content:
    """One pass over all lines; most have the same keys, so few distinct key lists remain."""
    keys = F.when(~_is_list(), _keys())
    lists = lines.select(keys.alias("keys"), _is_list().alias("is_list"))
    lists = lists.groupBy("keys", "is_list").agg(F.count(F.lit(1)).alias("line_count"))
    is_broken = F.col("keys").isNull() & (F.lit(are_lists_broken) | ~F.col("is_list"))
    each = lists.select(
        "line_count", "is_list", is_broken.alias("is_broken"), F.posexplode_outer("keys")
    )
    found = (
        each.groupBy("col", "is_list", "is_broken")
        .agg(F.min("pos").alias("position"), F.sum("line_count").alias("line_count"))
        .collect()
    )
    positions = {row["col"]: row["position"] for row in found if row["col"] is not None}
    return _Content(
        keys=sorted(positions, key=lambda key: (positions[key], key)),
        broken_count=sum(row["line_count"] for row in found if row["is_broken"]),
        has_lists=any(row["is_list"] for row in found),
    )


def _stripped() -> Column:
    return F.btrim(F.col(_LINE), F.lit(" \t\r"))


def _keys(text: Column | None = None) -> Column:
    """Keys of a line; null if it is not an object. The second function also reads `NaN`."""
    text = F.col(_LINE) if text is None else text
    return F.coalesce(
        F.json_object_keys(text), F.map_keys(F.from_json(text, T.MapType(_TEXT, _TEXT)))
    )


def _is_list() -> Column:
    return _stripped().startswith("[")


def _elements() -> Column:
    """Elements of a list; the line itself if it is not a list or has text after the list."""
    found = F.regexp_extract_all(F.col(_LINE), F.lit(J.ELEMENTS), F.lit(1))
    is_whole = _is_list() & _last_is(found, "]")
    return F.when(is_whole, _without_last(found)).otherwise(F.array(_LINE))


def _is_broken() -> Column:
    def is_object(text: Column) -> Column:
        return _keys(text).isNotNull() & text.rlike(J.OBJECT)

    return (_stripped() != "") & ~F.forall(_elements(), is_object)


def _last_is(texts: Column, last: str) -> Column:
    return F.try_element_at(texts, F.lit(-1)).eqNullSafe(last)


def _without_last(texts: Column) -> Column:
    return F.slice(texts, F.lit(1), F.greatest(F.size(texts) - F.lit(1), F.lit(0)))


def _cut(payload: str) -> Column:
    """The payload as it is spelled; the line itself if it is not exactly one object."""
    return F.regexp_replace(_LINE, J.value_of(payload), "$1")


def _members(used: Sequence[str]) -> Column:
    """The members of a line without another use; the last is `}` if the line ends there."""
    found = F.regexp_extract_all(F.col(_LINE), F.lit(J.members_without(used)), F.lit(1))
    return F.array_remove(found, "")


def _whole(payload: str) -> Column:
    """A string without its quotes and escapes, everything else as it is spelled."""
    is_string = F.col(_CUT).startswith('"') | (F.col(_CUT) == "")
    return (
        F.when(is_string, F.col(_PARSED).getField(payload))
        .when(F.col(_CUT) != "null", F.col(_CUT))
        .alias(payload)
    )
