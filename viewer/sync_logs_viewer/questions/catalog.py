"""The queries, each as a function of its subject."""

from .ask import Query, query
from .filters import Record, RecordFilters, Run, Sync
from .pages import Position

# number of days in the small charts, and in those of a sync
DAYS_OF_TREND, DAYS_OF_ACTIVITY = 30, 400
# operations of a run to filter by
OPERATIONS = 20
# the maximum length of a text in Spark
MOST_CHARACTERS = 2**31 - 1


def last_build() -> Query:
    """The last build or operation that succeeded: everything else is as of it."""
    return query("last_build")


def syncs() -> Query:
    """All syncs with their statistics."""
    return query("syncs")


def trends(days: int = DAYS_OF_TREND) -> Query:
    """What each sync did on the last days of its calendar."""
    return query("trends", days=days)


def sync(sync: Sync) -> Query:
    """One sync with its statistics; no row if it does not exist."""
    return query("sync", **sync.values())


def runs(sync: Sync, after: tuple[int, str] | None, limit: int) -> Query:
    """Runs of a sync, the last one first; with `after`, those after a run's position and id.

    Runs that are too late have no position; it counts as 0.
    """
    position, run = after or (None, None)
    return query("runs", **sync.values(), before_position=position, after_run=run, row_limit=limit)


def activity(sync: Sync) -> Query:
    """What a sync did on the last days of its calendar, and how many days and runs that has."""
    return query("activity", **sync.values(), days=DAYS_OF_ACTIVITY)


def run(run: Run) -> Query:
    """One run; no row if it does not exist."""
    return query("run", **run.values())


def neighbours(run: Run) -> Query:
    """The runs before and after a run, in the order of the sync."""
    return query("neighbours", **run.values())


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


def error_patterns(
    organization_id: str | None,
    category: str | None,
    failure_pattern: str | None,
    limit: int,
    sync_id: str | None = None,
) -> Query:
    """Failure patterns by sync, those with the most open records first; "" is no message."""
    return query(
        "error_patterns",
        organization_id=organization_id,
        sync_id=sync_id,
        category=category,
        failure_pattern=failure_pattern,
        row_limit=limit,
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
    return query("failures", organization_id=organization_id, sync_id=sync_id, row_limit=limit)


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
    return query(
        "alerts",
        organization_id=organization_id,
        sync_id=sync_id,
        is_open_only=is_open_only,
        since_micros=since_micros,
        row_limit=limit,
    )


def health(sync: Sync | None) -> Query:
    """Whether a sync is well, or each sync."""
    values = sync.values() if sync else {"organization_id": None, "sync_id": None}
    return query("health", **values)


def changed_fields(limit: int) -> Query:
    """Fields that changed most often, by sync."""
    return query("changed_fields", row_limit=limit)


def builds(limit: int) -> Query:
    """Builds and operations, the last one first."""
    return query("builds", row_limit=limit)


def file_issues(limit: int) -> Query:
    """Faulty files of the lake."""
    return query("file_issues", row_limit=limit)


def settings_issues(limit: int) -> Query:
    """Faults in the settings of syncs."""
    return query("settings_issues", row_limit=limit)
