"""The queries, each as a function of its subject."""

from dataclasses import replace

from sync_logs_viewer.periods import Period

from .ask import Query, Value, of_all_syncs, query
from .filters import Record, RecordFilters, Run, Sync
from .pages import EVERY_PATTERN, Order, Position

# number of days in the small charts, and in those of a sync
DAYS_OF_TREND, DAYS_OF_ACTIVITY = 30, 400
# rows of the page of a sync, and one more, which tells that there are others
RUNS = 50 + 1
# columns by which rows of one sync are found in those of all
OF_SYNC = ("organization_id", "sync_id")
# operations of a run to filter by
OPERATIONS = 20
# the maximum length of a text in Spark
MOST_CHARACTERS = 2**31 - 1


def last_build() -> Query:
    """The last build or operation that succeeded: everything else is as of it."""
    return query("last_build")


def data_until() -> Query:
    """The end of the data in the log, of all syncs."""
    return query("data_until")


def syncs() -> Query:
    """All syncs with their statistics."""
    return query("syncs")


def trends(days: int = DAYS_OF_TREND) -> Query:
    """What each sync did on the last days of its calendar."""
    return query("trends", days=days)


def sync(sync: Sync) -> Query:
    """One sync with its statistics; no row if it does not exist."""
    return of_all_syncs(query("sync", **sync.values()), *OF_SYNC)


def runs(sync: Sync, after: tuple[int, str] | None, limit: int) -> Query:
    """Runs of a sync, the last one first; with `after`, those after a run's position and id.

    Runs that are too late have no position; it counts as 0.
    """
    position, run = after or (None, None)
    place = {"before_position": position, "after_run": run}
    asked = query("runs", **sync.values(), sync_run_id=None, **place, rows_by_sync=limit)
    return asked if after else of_all_syncs(asked, *OF_SYNC)


def run(run: Run) -> Query:
    """One run, and those before and after it; no row if it does not exist."""
    place = {"before_position": None, "after_run": None}
    asked = query("runs", **run.values(), **place, rows_by_sync=RUNS)
    return of_all_syncs(asked, *OF_SYNC, "sync_run_id", may_be_cut=True)


def activity(sync: Sync) -> Query:
    """What a sync did on the last days of its calendar, and how many days and runs that has."""
    return of_all_syncs(query("activity", **sync.values(), days=DAYS_OF_ACTIVITY), *OF_SYNC)


def patterns_of_sync(sync: Sync, limit: int) -> Query:
    """Failure patterns of a sync, those with the most open records first."""
    return of_all_syncs(query("patterns_of_sync", **sync.values(), rows_by_sync=limit), *OF_SYNC)


def payload_fields(sync: Sync, limit: int) -> Query:
    """Fields of a sync's payloads: those that are gone or not as declared first, then by name."""
    return of_all_syncs(query("payload_fields", **sync.values(), rows_by_sync=limit), *OF_SYNC)


def payload_changes(sync: Sync, limit: int) -> Query:
    """What changed in the fields of a sync's payloads, the last change first."""
    return of_all_syncs(query("payload_changes", **sync.values(), rows_by_sync=limit), *OF_SYNC)


def payload_examples(run: Run, value_limit: int | None) -> Query:
    """A value of each field of the payloads of a run, cut to some characters; None: whole ones."""
    characters = MOST_CHARACTERS if value_limit is None else value_limit
    return query("payload_examples", **run.values(), value_limit=characters)


def periods(sync: Sync, later: Period, earlier: Period) -> Query:
    """What a sync did in two periods, the earlier one first."""
    return query("periods", **sync.values(), **_dates(later, earlier))


def patterns_of_periods(sync: Sync, later: Period, earlier: Period, limit: int) -> Query:
    """Failure patterns of a sync in two periods, those that came, went or changed most first."""
    dates = _dates(later, earlier)
    return query("patterns_of_periods", **sync.values(), **dates, row_limit=limit)


def changes_of_periods(sync: Sync, later: Period, earlier: Period, limit: int) -> Query:
    """What changed in the fields of payloads in runs of two periods, the last change first."""
    dates = _dates(later, earlier)
    return query("changes_of_periods", **sync.values(), **dates, row_limit=limit)


def patterns_of_runs(run: Run, before_sync_run_id: str, limit: int) -> Query:
    """Failure patterns of a run and of one before it, with the records that each run has."""
    return query(
        "patterns_of_runs", **run.values(), before_sync_run_id=before_sync_run_id, row_limit=limit
    )


def errors_of_run(run: Run, limit: int, payload_limit: int) -> Query:
    """Failure reasons of a run, those of most rows first, each with what masks need of a row."""
    return query("errors_of_run", **run.values(), row_limit=limit, payload_limit=payload_limit)


def record_counts(run: Run, filters: RecordFilters, is_hashed: bool) -> Query:
    """The number of a run's records by status, with all filters but the status.

    The most common operations are apart; the others count together.
    """
    values = {name: value for name, value in filters.values().items() if name != "status"}
    return query(
        "record_counts", **run.values(), **values, is_hashed=is_hashed, operations=OPERATIONS
    )


def records(
    run: Run,
    filters: RecordFilters,
    after: Position | None,
    limit: int,
    is_hashed: bool,
    payload_limit: int | None,
) -> Query:
    """Records of a run in the order of its log, after a position.

    `payload_limit` is the number of characters of a payload; None: all of them.
    """
    where = after or Position(None, None, None)
    return query(
        "records",
        **run.values(),
        **filters.values(),
        **where.values(),
        row_limit=limit,
        is_hashed=is_hashed,
        payload_limit=MOST_CHARACTERS if payload_limit is None else payload_limit,
    )


def organizations_of_record(identifier: str, is_hashed: bool, limit: int) -> Query:
    """The organisations that have an identifier, in clear or as its hash."""
    return query(
        "organizations_of_record", identifier=identifier, is_hashed=is_hashed, row_limit=limit
    )


def history_of_record(record: Record, limit: int, payload_limit: int | None) -> Query:
    """Rows with an identifier, in all syncs, the latest first."""
    characters = MOST_CHARACTERS if payload_limit is None else payload_limit
    return query("history_of_record", **record.values(), row_limit=limit, payload_limit=characters)


def changes_of_record(record: Record, limit: int) -> Query:
    """Fields of a record that changed, the latest change first."""
    return query("changes_of_record", **record.values(), row_limit=limit)


def memberships_of_record(record: Record, limit: int) -> Query:
    """Audiences that a record is or was in."""
    return query("memberships_of_record", **record.values(), row_limit=limit)


def failures_of_record(record: Record, limit: int) -> Query:
    """Periods in which a record failed, the open ones first."""
    return query("failures_of_record", **record.values(), row_limit=limit)


def states_of_record(record: Record, limit: int) -> Query:
    """The state of a record in each sync, and whether its last outcome is an error."""
    return query("states_of_record", **record.values(), row_limit=limit)


def audience_size(sync: Sync, at_micros: int) -> Query:
    """How many members an audience had at a time."""
    return query("audience_size", **sync.values(), at_micros=at_micros)


def members(
    sync: Sync, at_micros: int | None, after: str | None, limit: int, is_hashed: bool
) -> Query:
    """Members of an audience now or at a time, ordered by masked identifier."""
    return query(
        "members",
        **sync.values(),
        at_micros=at_micros,
        after_identifier=after,
        row_limit=limit,
        is_hashed=is_hashed,
    )


def moves(sync: Sync, limit: int) -> Query:
    """Who entered and left an audience last."""
    return query("moves", **sync.values(), row_limit=limit)


def error_categories(
    organization_id: str | None, category: str | None, limit: int, sync_id: str | None = None
) -> Query:
    """Categories of errors, those with the most open records first."""
    return query(
        "error_categories",
        organization_id=organization_id,
        sync_id=sync_id,
        category=category,
        row_limit=limit,
    )


def error_clusters(limit: int) -> Query:
    """Causes of errors over all syncs, those with the most open records first."""
    return query("error_clusters", row_limit=limit)


def pattern_counts(
    organization_id: str | None, failure_pattern: str | None, sync_id: str | None
) -> Query:
    """The number of failure patterns by category, and of those with which records fail now."""
    return query(
        "pattern_counts",
        organization_id=organization_id,
        sync_id=sync_id,
        failure_pattern=failure_pattern,
    )


def error_patterns(
    organization_id: str | None,
    category: str | None,
    failure_pattern: str | None,
    limit: int,
    sync_id: str | None = None,
    order: Order = EVERY_PATTERN,
) -> Query:
    """Failure patterns by sync, those with the most open records first; "" is no message."""
    return query(
        "error_patterns",
        organization_id=organization_id,
        sync_id=sync_id,
        category=category,
        failure_pattern=failure_pattern,
        row_limit=limit,
        **order.values(),
    )


def errors(
    organization_id: str | None,
    category: str | None,
    limit: int,
    failure_pattern: str | None = None,
    sync_id: str | None = None,
) -> Query:
    """Failure reasons by sync, those with the most open records first."""
    return query(
        "errors",
        organization_id=organization_id,
        sync_id=sync_id,
        category=category,
        failure_pattern=failure_pattern,
        row_limit=limit,
    )


def failures(organization_id: str | None, sync_id: str | None, limit: int) -> Query:
    """Records that fail now, those that have failed longest first."""
    about = {"organization_id": organization_id, "sync_id": sync_id}
    is_by_sync = None not in about.values()
    asked = query("failures", **about, is_by_sync=is_by_sync, row_limit=limit)
    return of_all_syncs(asked, *OF_SYNC)


def alerts(
    organization_id: str | None,
    sync_id: str | None,
    is_open_only: bool,
    since_micros: int | None,
    limit: int,
) -> Query:
    """Alerts: the open ones first, of those muted ones last, then the critical ones.

    With a time, also those that were resolved since then.
    """
    asked = query(
        "alerts",
        organization_id=organization_id,
        sync_id=sync_id,
        is_open_only=is_open_only,
        since_micros=since_micros,
        row_limit=limit,
    )
    return of_all_syncs(asked, *OF_SYNC, limit=limit)


def health(sync: Sync | None) -> Query:
    """Whether a sync is well, or each sync."""
    values = sync.values() if sync else dict.fromkeys(OF_SYNC)
    return of_all_syncs(query("health", **values), *OF_SYNC)


def changed_fields(limit: int) -> Query:
    """Fields that changed most often, by sync."""
    return query("changed_fields", row_limit=limit)


def gaps(relation: str, organization_id: str | None, sync_id: str | None, limit: int) -> Query:
    """How models differ from what was delivered, as a model of the user has counted it."""
    about = {"organization_id": organization_id, "sync_id": sync_id}
    asked = query("gaps", relation=relation, **about, row_limit=limit)
    # the model can be built after ours
    return replace(asked, is_of_build=False)


def builds(limit: int) -> Query:
    """Builds and operations, the last one first."""
    return query("builds", row_limit=limit)


def file_issues(limit: int) -> Query:
    """Faulty files of the lake."""
    return query("file_issues", row_limit=limit)


def settings_issues(limit: int) -> Query:
    """Faults in the settings of syncs."""
    return query("settings_issues", row_limit=limit)


def _dates(later: Period, earlier: Period) -> dict[str, Value]:
    return {
        "from_date": later.first.isoformat(),
        "until_date": later.last.isoformat(),
        "before_from_date": earlier.first.isoformat(),
        "before_until_date": earlier.last.isoformat(),
    }
