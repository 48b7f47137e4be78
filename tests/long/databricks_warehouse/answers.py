"""What the recorded queries answer, declared for each kind of question.

A question without a declared answer has no rows. The scenario says what the lake is like.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .catalog import Answer, Catalog, strings

BATCH = "sync_tracking_datasets/7/42/run-1/data.1.parquet"
FACT = "metadata/7/destinations.parquet"
# types of a file that the landing cannot read: each kind that the recovery converts
TYPES = (
    ("identifier", "double"),
    ("record_payload", "struct<a:int>"),
    ("operation", "void"),
    ("status", "decimal(10,2)"),
    ("batch_started_at", "bigint"),
    ("batch_ended_at", "timestamp_ntz"),
    ("id", "bigint"),
)


@dataclass
class Scenario:
    """What a command finds: news in the lake, files of other types, records to purge, faults."""

    has_news: bool = True
    has_files: bool = True
    reads_all: bool = True
    holds_record: bool = True


def file_path(relative_path: str) -> str:
    """The path of a file as `_metadata` has it."""
    return f"dbfs:/Volumes/main/raw/lake/{relative_path}"


class Data:
    """Answers questions about data, from the scenario and from what was committed."""

    def __init__(self, catalog: Catalog, state: str) -> None:
        self.catalog = catalog
        self.scenario = Scenario()
        # columns of each table of a vendor
        self.source_columns: dict[str, dict[str, str]] = {}
        self._state_schema = state
        table = rf"`main`\.`{state.partition('.')[2]}`\."
        current = rf"from {table}`sync_load_current`$"
        answers: list[tuple[str, Callable[[re.Match[str]], Answer]]] = [
            (rf"^select load_id from {table}`(sync_load_\w+)`$", self._named),
            (rf"^select kept_load_id from {table}`sync_load_building`", self._kept),
            (rf"^select \* {current}", self._commit),
            (rf"^select recorded_load_id from {table}`int_loads__recorded`", self._loads),
            (r"^select previous_load_id from .*int_files__planned", self._previous),
            (r"^select 'files' as news", self._news),
            (r"^select 1 from read_files\(.* limit 1$", self._first_file),
            (r"^select file_path\s+from \(\s*select planned", self._rowless),
            (r"^select file_path from .*file_kind = '(\w+)'", self._planned),
            (r"^with\s+rowless as .*int_(records|facts)__landed", self._unread),
            (r"^describe query select \* from parquet", self._types),
            (r"^describe query select \* from main\.\w+\.(\w+)$", self._source_columns),
            (r"^select distinct sync_run_id from", _rows("sync_run_id", "run-1")),
            (r"^explain ", _rows("plan", "== Physical Plan ==")),
            (r"^select typeof\(", _rows("type", "struct<a:int,b c:array<string>>")),
            (r"^select file_path, count\(\*\) as record_count, max", self._decoded),
            (r"^select distinct 'file' as reference", self._references),
            (r"^with\s+references_counted as", self._loads),
            (r"^with\s+prunable as", self._loads),
            (r"^select distinct load_id\s.*\bunion\b", self._loads),
            (r"^select distinct organization_id, sync_id, sync_run_id", _rows_of_run),
            (r"^select\s+organization_id,\s+sync_id,\s+count\(\*\) as run_count", _prunable),
            (r"^select 1 as found", self._held),
            (r"^select sum\(greatest\(record_count", _rows("record_count", 10)),
            (r"^with\s+found as .* as is_different", _rows("is_different", 1)),
            (r"^select\s+purged\.sync_id, purged\.identifier_hash", _purged),
            (
                r"^select 1 from .*int_(?:files|runs)__planned`? where .* limit 1$",
                _rows("found", 1),
            ),
            (r"^select version\(\)", _rows("version", "4.0.0")),
            (r"^select\s+current_timezone\(\)", _session),
            (r"^with\s+files as .*as newest", _lake),
            (r"^with\s+loads as .*count_if\(is_recount_due\)", self._state),
            (r"^select min_by\(relative_path", _rows("relative_path", BATCH)),
            (r"count\(\*\) as failures", _no_failures),
        ]
        self._answers = [(re.compile(pattern, re.I | re.S), then) for pattern, then in answers]

    def answer(self, sql: str) -> Answer | None:
        """The declared answer; none if the question has none."""
        for pattern, then in self._answers:
            found = pattern.search(sql)
            if found:
                return then(found)
        return None

    @property
    def committed(self) -> str:
        """The committed load."""
        return self._load_in("sync_load_current")

    def _load_in(self, view: str) -> str:
        """The load that a view names."""
        definition = self.catalog.relations[f"{self._state_schema}.{view}"].definition
        found = re.search(r"'([^']*)' as load_id", definition)
        return found[1] if found else ""

    def _named(self, found: re.Match[str]) -> Answer:
        return Answer(strings("load_id"), [(self._load_in(found[1]),)])

    def _kept(self, _: Any) -> Answer:
        definition = self.catalog.relations[f"{self._state_schema}.sync_load_building"].definition
        found = re.search(r"'([^']*)' as kept_load_id", definition)
        return Answer(strings("kept_load_id"), [(found[1],)] if found else [])

    def _commit(self, _: Any) -> Answer:
        definition = self.catalog.relations[f"{self._state_schema}.sync_load_current"].definition
        version = re.search(r"(\d+) as schema_version", definition)
        words = re.search(r"'(\{.*\})' as words", definition)
        columns = [*strings("load_id"), ("schema_version", "int")]
        row = (self.committed, int(version[1]) if version else 0)
        if not words:
            return Answer(columns, [row])
        return Answer([*columns, *strings("words")], [(*row, words[1])])

    def _loads(self, _: Any) -> Answer:
        found = sorted(self.catalog.relations[f"{self._state_schema}.int_files__landed"].loads)
        return Answer(strings("load_id"), [(load_id,) for load_id in found])

    def _previous(self, _: Any) -> Answer:
        return Answer(strings("previous_load_id"), [(self.committed,)])

    def _news(self, _: Any) -> Answer:
        return Answer(strings("news"), [("files",)] if self.scenario.has_news else [])

    def _first_file(self, _: Any) -> Answer:
        return Answer([("1", "int")], [(1,)] if self.scenario.has_files else [])

    def _planned(self, found: re.Match[str]) -> Answer:
        of_kind = {"batch": BATCH, "fact": FACT, "metadata": "x/metadata.json"}[found[1]]
        return Answer(strings("file_path"), [(file_path(of_kind),)])

    def _rowless(self, found: re.Match[str]) -> Answer:
        path = FACT if "file_kind = 'fact'" in found.string else BATCH
        return Answer(strings("file_path"), [] if self.scenario.reads_all else [(file_path(path),)])

    def _unread(self, found: re.Match[str]) -> Answer:
        path = FACT if found[1] == "facts" else BATCH
        columns = [*strings("file_path", "relative_path"), ("record_count", "bigint")]
        return Answer(columns, [(file_path(path), path, 3)])

    def _types(self, _: Any) -> Answer:
        rows = [(name, kind, None) for name, kind in TYPES]
        return Answer(strings("col_name", "data_type", "comment"), rows)

    def _source_columns(self, found: re.Match[str]) -> Answer:
        rows = [(name, "string", None) for name in self.source_columns[found[1]]]
        return Answer(strings("col_name", "data_type", "comment"), rows)

    def _decoded(self, found: re.Match[str]) -> Answer:
        path = FACT if f"/{FACT}'" in found.string else BATCH
        columns = [*strings("file_path"), ("record_count", "bigint"), ("longest", "int")]
        return Answer(columns, [(file_path(path), 3, 9)])

    def _references(self, _: Any) -> Answer:
        kinds = ("file", "run", "checkpoint")
        rows = [(kind, self.committed) for kind in kinds]
        return Answer(strings("reference", "referred_load_id"), rows)

    def _held(self, _: Any) -> Answer:
        return Answer([("found", "int")], [(1,)] if self.scenario.holds_record else [])

    def _state(self, _: Any) -> Answer:
        counts = ("file", "batch", "metadata", "fact", "other", "gone", "issue")
        runs = ("run", "open", "pruned", "too_late", "due")
        names = [f"{name}_count" for name in (*counts, *runs)]
        columns = [
            *strings("recorded_load_id", "operation", "finished_at"),
            *((name, "bigint") for name in names),
        ]
        return Answer(columns, [(self.committed, "build", "2026-01-31 06:00", *range(len(names)))])


def _rows(name: str, *values: Any) -> Callable[[Any], Answer]:
    kind = "int" if isinstance(values[0], int) else "string"
    return lambda _: Answer([(name, kind)], [(value,) for value in values])


def _rows_of_run(_: Any) -> Answer:
    names = ("organization_id", "sync_id", "sync_run_id")
    return Answer(strings(*names), [("7", "42", "run-1")])


def _purged(_: Any) -> Answer:
    return Answer(strings("sync_id", "identifier_hash"), [(None, "0" * 32)])


def _prunable(_: Any) -> Answer:
    columns = [
        *strings("organization_id", "sync_id"),
        ("run_count", "bigint"),
        ("record_count", "bigint"),
        *strings("last_run"),
    ]
    return Answer(columns, [("7", "42", 2, 20, "run-2")])


def _session(_: Any) -> Answer:
    columns = [*strings("time_zone"), ("is_utc", "boolean"), ("is_ansi", "boolean")]
    return Answer(columns, [("UTC", True, True)])


def _lake(_: Any) -> Answer:
    columns = [("file_count", "bigint"), ("size_mb", "double"), *strings("newest")]
    return Answer(columns, [(2, 0.1, "2026-01-31 06:00:00")])


def _no_failures(_: Any) -> Answer:
    columns = [("failures", "bigint"), ("should_warn", "boolean"), ("should_error", "boolean")]
    return Answer(columns, [(0, False, False)])
