"""One warehouse from the sources of all vendors, built three times.

Before each build, each vendor's module writes what its product has logged until then. Between the
second and the third, a record of Hightouch is purged. The tests of this folder read the tables of
each build; they select the rows of their source by its organisation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest import Warehouse
from helpers.project import ADAPTERS, copy_project, write_adapter
from helpers.source_tables import with_sources
from vendors import drt_logs, hightouch_logs, rudderstack_logs, writeback_logs
from vendors.drt_files import source_of

Row = Mapping[str, Any]
TABLES = (
    *("sync_runs", "sync_changelog", "sync_log", "sync_records", "log_coverage"),
    *("audience_memberships", "errors_by_sync", "sync_statistics", "sync_activity_daily"),
)
# in the first build, the last run of RudderStack goes on
AS_OF = ("2026-01-02T02:30:00Z", "2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z")


@dataclass(frozen=True)
class ThreeBuilds:
    """All rows of the documented tables after each build, and the project that was built."""

    tables: list[dict[str, list[dict[str, Any]]]]
    project: Path

    def rows(self, build: int, table: str, organization: str) -> list[dict[str, Any]]:
        """The rows of an organisation after a build, which is 1, 2 or 3."""
        rows = self.tables[build - 1][table]
        return [row for row in rows if row["organization_id"] == organization]


def shown(rows: Iterable[Row], *columns: str) -> list[tuple[Any, ...]]:
    """Some columns of rows, sorted."""
    return sorted((tuple(one[column] for column in columns) for one in rows), key=str)


def three_builds(built: Warehouse, folder: Path) -> ThreeBuilds:
    """Write the logs and build, three times."""
    built.project = with_another_vendor(folder / "project")
    built.start_spark()
    sources = (
        *(source_of(folder / ".drt"), hightouch_logs.SOURCE, writeback_logs.SOURCE),
        *(rudderstack_logs.SOURCE, rudderstack_logs.OF_ANOTHER_VENDOR),
    )
    tables = []
    for number, as_of in enumerate(AS_OF, start=1):
        drt_logs.write(number, folder / ".drt")
        for logs in (hightouch_logs, rudderstack_logs, writeback_logs):
            logs.write(number)
        given = with_sources(*sources, sync_logs_as_of=as_of)
        if number == 3:
            purged = built.operation("purge_record", given, **hightouch_logs.PURGED)
            assert purged, built.failures()
        assert built.dbt("run", variables=given), built.failures()
        tables.append(built.tables(TABLES))
    return ThreeBuilds(tables, built.project)


def with_another_vendor(folder: Path) -> Path:
    """A copy of the project in which another vendor has models like those of RudderStack."""
    copy_project(folder)
    write_adapter(folder / ADAPTERS / "acme_sync")
    return folder
