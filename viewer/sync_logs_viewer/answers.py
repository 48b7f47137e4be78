"""Query results: as of one load, cached by load, and masked."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice

import pyarrow as pa
import pyarrow.compute as pc

from sync_logs_viewer.masks import Mask
from sync_logs_viewer.questions import Query
from sync_logs_viewer.questions.catalog import last_build
from sync_logs_viewer.warehouse import Rows, Warehouse

MEGABYTES_KEPT = 64
# a larger result would take the place of too many others
LARGEST_SHARE_KEPT = 0.25
BYTES_OF_AN_ENTRY = 4000
# how long the last build is assumed to be current before Spark is queried for it again
SECONDS_CURRENT = 1.0
# attempts at a page while builds commit; after the last one it is shown anyway
ATTEMPTS = 3
# queries that run in parallel
PARALLEL = 4


@dataclass(frozen=True)
class Build:
    """The last build: all results are as of it."""

    load_id: str
    finished_at: datetime | None
    as_of: datetime | None


NEVER_BUILT = Build("", None, None)


class Answers:
    """Queries a warehouse and caches the results until a build commits."""

    def __init__(self, warehouse: Warehouse, mask: Mask) -> None:
        self.warehouse = warehouse
        self.mask = mask
        self._kept: OrderedDict[tuple[str, Query], pa.Table] = OrderedDict()
        self._bytes_kept = 0
        self._asked: dict[tuple[str, Query], _Asked] = {}
        self._build: tuple[float, Build] = (float("-inf"), NEVER_BUILT)
        self._slots = asyncio.Semaphore(PARALLEL)

    async def build(self, must_be_new: bool = False) -> Build:
        """The last build, at most a second old. Raises WarehouseError."""
        asked_at, build = self._build
        if not must_be_new and time.monotonic() - asked_at < SECONDS_CURRENT:
            return build
        now = time.monotonic()
        # without a slot: pages in the cache must not wait for queries of others
        found = (await asyncio.to_thread(self.warehouse.ask, last_build())).to_pylist()
        build = (
            Build(found[0]["load_id"], found[0]["finished_at"], found[0]["as_of"])
            if found
            else NEVER_BUILT
        )
        self._build = (now, build)
        return build

    async def all(self, *queries: Query) -> tuple[Build, list[Rows]]:
        """The rows of several queries, all as of one build. Raises WarehouseError."""
        build, tables = await self.keep(*queries)
        return build, [self.mask.rows(table.to_pylist()) for table in tables]

    async def keep(self, *queries: Query) -> tuple[Build, list[pa.Table]]:
        """The results of several queries, all as of one build, cached. Raises WarehouseError."""
        for _ in range(ATTEMPTS):
            build = await self.build()
            found = {one: self._kept_table(build.load_id, one) for one in queries}
            lacking = [one for one, table in found.items() if table is None]
            asked = await asyncio.gather(*(self._table(build.load_id, one) for one in lacking))
            found.update(zip(lacking, asked, strict=True))
            if not lacking or (await self.build(must_be_new=True)) == build:
                for query in lacking:
                    self._keep(build.load_id, query, found[query])
                break
        return build, [found[one] for one in queries]

    async def stream(self, build: Build, query: Query) -> tuple[bool, Iterator[Rows]]:
        """The rows of a query in batches, and whether they are as of `build`.

        Errors are raised here, not in the iterator.
        """
        batches = self.warehouse.stream(query)
        async with self._slots:
            begun = await asyncio.to_thread(lambda: list(islice(batches, 1)))
        rows = map(self.mask.rows, chain(begun, batches))
        return (await self.build(must_be_new=True)) == build, rows

    async def _table(self, load_id: str, query: Query) -> pa.Table:
        key = (load_id, query)
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = _Asked()
            asked.task = asyncio.ensure_future(self._ask(query, asked))
            asked.task.add_done_callback(lambda _: self._forget(key, asked))
        asked.waiting += 1
        try:
            # another page may wait for the same result
            return await asyncio.shield(asked.task)
        finally:
            asked.waiting -= 1
            if not asked.waiting and not asked.is_sent:
                self._forget(key, asked)
                asked.task.cancel()

    def _kept_table(self, load_id: str, query: Query) -> pa.Table | None:
        """The cached result of a query, or its rows in that of all syncs; None if there is none."""
        for one in (query, query.part_of and query.part_of.whole):
            if one and (load_id, one) in self._kept:
                self._kept.move_to_end((load_id, one))
                table = self._kept[load_id, one]
                return table if one is query else rows_among(table, query)
        return None

    def _forget(self, key: tuple[str, Query], asked: "_Asked") -> None:
        if self._asked.get(key) is asked:
            del self._asked[key]
        if asked.task.done() and not asked.task.cancelled():
            # marks the exception as retrieved: no page may be waiting for it
            asked.task.exception()

    async def _ask(self, query: Query, asked: "_Asked") -> pa.Table:
        async with self._slots:
            asked.is_sent = True
            return await asyncio.to_thread(self.warehouse.ask, query)

    def _keep(self, load_id: str, query: Query, table: pa.Table) -> None:
        key, size = (load_id, query), _size(query, table)
        is_large = size > LARGEST_SHARE_KEPT * MEGABYTES_KEPT * 1024**2
        if is_large or not query.is_of_build or key in self._kept:
            return
        self._kept[key] = table
        self._bytes_kept += size
        while self._bytes_kept > MEGABYTES_KEPT * 1024**2:
            (_, oldest), dropped = self._kept.popitem(last=False)
            self._bytes_kept -= _size(oldest, dropped)


def rows_among(table: pa.Table, query: Query) -> pa.Table | None:
    """The rows of a query among those of all syncs; None if they may be incomplete."""
    part = query.part_of
    if part is None or (part.limit is not None and table.num_rows >= part.limit):
        return None
    chosen = table
    for column, value in part.chosen:
        chosen = chosen.filter(pc.equal(chosen[column], value))
    return None if part.may_be_cut and not chosen.num_rows else chosen


def _size(query: Query, table: pa.Table) -> int:
    """Bytes of a result and its query; arguments can be long even if there are few rows."""
    return int(table.nbytes) + BYTES_OF_AN_ENTRY + 4 * len(str(query.values))


class _Asked:
    """A query, whether Spark has it, and how many pages wait for it.

    One that Spark has is never cancelled. Spark would interrupt the thread that plans it, and the
    embedded catalog (Derby) closes its connection if that happens while it reads.
    """

    task: "asyncio.Future[pa.Table]"
    waiting = 0
    is_sent = False
