"""The syncs of the demo: two organisations that share sync, run and destination ids."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from sync_logs_demo import segments, source
from sync_logs_demo.source import SourceRow
from sync_logs_loader.config import RunKey
from sync_logs_loader.schemas import Generation

BASE_RUNS = 14
ATLAS = "501"
BOREALIS = "502"
FIRST_START = datetime(2026, 10, 1, 6, tzinfo=timezone.utc)
# Close to a power of ten, so that the text order of ids is not the order of runs.
_FIRST_RUN_ID = 9_960
_RUN_IDS_PER_DAY = 8
_FIRST_SYNC_ID = 3_001


@dataclass(frozen=True)
class DemoSync:
    """One sync: what it reads, how it writes, and its events. Runs are numbered from 1."""

    organization_id: str
    sync_id: str
    mode: str
    """`upsert`, `update`, `audience` (upsert and delete), `mirror` or `append`."""
    query: Callable[[int], list[SourceRow]]
    table: str
    key: str
    source_object_id: str
    model_name: str
    has_metadata: bool = True
    has_extensions: bool = True
    split_group_field: str | None = None
    empty_runs: frozenset[int] = field(default_factory=frozenset)
    aborted_run: int | None = None
    unfinished_run: int | None = None
    last_run: int | None = None
    """The last run in the lake; later ones are with another vendor (`hightouch.py`)."""

    @property
    def operation(self) -> str:
        """The operation of rows that are not deletes."""
        return "upsert" if self.mode == "audience" else self.mode

    @property
    def destination_id(self) -> str:
        """One destination for files, another for the rest; both organisations have the same ids."""
        return "22" if self.mode == "mirror" else "21"

    @property
    def destination_type(self) -> str:
        """The kind of the destination."""
        return "file" if self.mode == "mirror" else "sqlite"

    @property
    def destination_object_id(self) -> str:
        """One object per sync."""
        return f"4{self.sync_id[1:]}"

    def runs_in_lake(self, run_count: int) -> int:
        """How many of `run_count` runs the lake has."""
        return run_count if self.last_run is None else min(run_count, self.last_run)

    def run_key(self, run: int) -> RunKey:
        """Ids of a run; the same in both organisations."""
        number = _FIRST_RUN_ID + (run - 1) * _RUN_IDS_PER_DAY + int(self.sync_id) - _FIRST_SYNC_ID
        return RunKey(self.organization_id, self.sync_id, str(number))

    def run_number(self, run_id: str) -> int:
        """The inverse of `run_key`."""
        return (int(run_id) - _FIRST_RUN_ID) // _RUN_IDS_PER_DAY + 1

    def started_at(self, run: int) -> datetime:
        """Daily from the first day on, each sync ten minutes after the previous one."""
        minutes = 10 * (int(self.sync_id) - _FIRST_SYNC_ID)
        return FIRST_START + timedelta(days=run - 1, minutes=minutes)


def generation_of(run: int) -> Generation:
    """The vendor's format changed twice in the two weeks."""
    if run <= 4:
        return Generation.INTERNAL_ID
    return Generation.PLAIN if run <= 9 else Generation.RUN_IDS


DEMO_SYNCS = (
    DemoSync(
        ATLAS, "3001", "upsert", source.countries, "accounts", "code",
        "31", "Country accounts", aborted_run=9,
    ),
    DemoSync(
        ATLAS, "3002", "update", segments.exported_zones, "territories", "zone",
        "32", "Territories", empty_runs=frozenset({6}),
    ),
    DemoSync(
        ATLAS, "3003", "audience", segments.zone_audience, "zone_members", "zone",
        "33", "Zones in demand", split_group_field="split_group", unfinished_run=BASE_RUNS,
    ),
    DemoSync(
        ATLAS, "3004", "mirror", source.elements, "element_lines", "symbol",
        "34", "Element stock file",
    ),
    DemoSync(
        ATLAS, "3005", "append", segments.element_prices, "price_events", "symbol",
        "35", "Element prices", has_metadata=False,
    ),
    DemoSync(
        BOREALIS, "3001", "upsert", source.zones, "territories", "zone",
        "31", "All territories",
    ),
    DemoSync(
        BOREALIS, "3003", "audience", segments.country_audience, "country_members", "code",
        "33", "Countries in demand", last_run=BASE_RUNS,
    ),
    DemoSync(
        BOREALIS, "3004", "mirror", source.countries, "country_lines", "code",
        "34", "Country file", has_extensions=False,
    ),
)  # fmt: skip
