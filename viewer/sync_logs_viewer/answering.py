"""How the named questions are answered: each function makes its queries from the given values.

The values have `rows`, the most rows of the answer. All raise GivenError and WarehouseError.
"""

from sync_logs_viewer import examples
from sync_logs_viewer.arguments import GivenError, Values, shown
from sync_logs_viewer.asking import Answer, Asking
from sync_logs_viewer.masks import VARIABLE
from sync_logs_viewer.periods import DATES, PeriodError, last_day_of, two_periods
from sync_logs_viewer.questions import Record, RecordFilters, catalog
from sync_logs_viewer.settings import GAPS, gaps_relation

COLUMNS_OF_REASONS = (
    *("organization_id", "sync_id", "failure_reason", "open_record_count", "record_count"),
    *("failing_since_at", "last_seen_at"),
)
COLUMNS_OF_PATTERNS = (
    *("failure_pattern", "category", "change_type", "before_record_count", "record_count"),
    "open_record_count",
)
COLUMNS_OF_EXAMPLES = (
    *("field_name", "json_types", "example", "is_in_last_run", "present_share", "null_share"),
    "declared_type",
)


async def syncs(ask: Asking, given: Values) -> Answer:
    """All syncs, each with its health."""
    healths = (await ask.answer(catalog.health(None))).rows
    health = {(one["organization_id"], one["sync_id"]): one["health"] for one in healths}
    found = await ask.answer(catalog.syncs())
    rows = [
        {**one, "health": health.get((one["organization_id"], one["sync_id"]))}
        for one in found.rows
    ]
    return Answer([*found.names, "health"], rows)


async def runs(ask: Asking, given: Values) -> Answer:
    """Runs of a sync."""
    return await ask.answer(catalog.runs(await ask.sync(given), None, given["rows"]))


async def periods(ask: Asking, given: Values) -> Answer:
    """Two periods of a sync, or the failure patterns in both."""
    sync = await ask.sync(given)
    # the last day of its calendar is needed only without another one
    days = [] if given["until"] else (await ask.answer(catalog.activity(sync))).rows
    try:
        dates = {name: given[name] for name in DATES}
        both = two_periods(dates, last_day_of(days), ask.spelled)
    except PeriodError as error:
        raise GivenError(str(error)) from None
    if both is None:
        raise GivenError(
            f"The sync {shown(repr(sync.sync_id))} has no days: it does not exist, none of its "
            f"runs has a time, or they are not kept. Give {ask.spelled('until')} if you know one."
        )
    if not given["errors"]:
        return await ask.answer(catalog.periods(sync, *both))
    found = await ask.answer(catalog.patterns_of_periods(sync, *both, given["rows"]))
    return Answer(found.names, found.rows, COLUMNS_OF_PATTERNS)


async def records(ask: Asking, given: Values) -> Answer:
    """Records of a run."""
    if given["identifier"] is not None or given["identifier_prefix"] is not None:
        ask.check_not_hidden()
        if given["identifier_prefix"] is not None and ask.mask.is_hashed:
            raise GivenError(f"Identifiers are hashed ({VARIABLE}): search for a whole one.")
    filters = RecordFilters(
        status=given["status"],
        operation=given["operation"],
        failure_reason=given["failure_reason"],
        identifier=ask.mask.asked(given["identifier"]),
        identifier_prefix=given["identifier_prefix"],
    )
    run, is_hashed = await ask.run(given), ask.mask.is_hashed
    found = await ask.answer(
        catalog.records(run, filters, None, given["rows"], is_hashed, ask.payload_limit)
    )
    # by default it is the last run, which nobody has named
    rows = [{"sync_run_id": run.sync_run_id, **one} for one in found.rows]
    return Answer(["sync_run_id", *found.names], rows)


async def record(ask: Asking, given: Values) -> Answer:
    """Rows with an identifier."""
    ask.check_not_hidden()
    identifier = ask.mask.asked(given["identifier"]) or ""
    record = Record(given["organization_id"], identifier, ask.mask.is_hashed)
    return await ask.answer(catalog.history_of_record(record, given["rows"], ask.payload_limit))


async def members(ask: Asking, given: Values) -> Answer:
    """Members of an audience."""
    sync, is_hashed = await ask.sync(given), ask.mask.is_hashed
    return await ask.answer(catalog.members(sync, given["at"], None, given["rows"], is_hashed))


async def errors(ask: Asking, given: Values) -> Answer:
    """Failure patterns, or the reasons of one."""
    about = (given["organization_id"], given["category"])
    pattern, sync_id = given["failure_pattern"], given["sync_id"]
    if pattern is None:
        return await ask.answer(catalog.error_patterns(*about, None, given["rows"], sync_id))
    found = await ask.answer(catalog.errors(*about, given["rows"], pattern, sync_id))
    return Answer(found.names, found.rows, COLUMNS_OF_REASONS)


async def failures(ask: Asking, given: Values) -> Answer:
    """Records that fail now."""
    about = (given["organization_id"], given["sync_id"])
    return await ask.answer(catalog.failures(*about, given["rows"]))


async def alerts(ask: Asking, given: Values) -> Answer:
    """Alerts."""
    since = given["since"]
    if given["all"] and since is not None:
        raise GivenError(f"{ask.spelled('all')} and {ask.spelled('since')} exclude each other.")
    is_open_only = not given["all"] and since is None
    about = (given["organization_id"], given["sync_id"], is_open_only, since)
    return await ask.answer(catalog.alerts(*about, given["rows"]))


async def gaps(ask: Asking, given: Values) -> Answer:
    """Gaps between models and what was delivered."""
    relation = gaps_relation()
    if relation is None:
        raise GivenError(
            f"{GAPS} is not set. Set it to the relation of a model that selects from "
            "delivery_gap_counts, such as analytics.gap_counts."
        )
    about = (given["organization_id"], given["sync_id"])
    return await ask.answer(catalog.gaps(relation, *about, given["rows"]))


async def fields(ask: Asking, given: Values) -> Answer:
    """Fields of the payloads of a sync, and an example of each if asked for."""
    sync = await ask.sync(given)
    found = await ask.answer(catalog.payload_fields(sync, given["rows"]))
    if not given["examples"]:
        return found
    run = examples.last_run(sync, found.rows)
    read = (await ask.answer(examples.question(run, ask.mask))).rows if run else []
    rows = examples.with_examples(found.rows, read)
    return Answer([*found.names, "example"], rows, COLUMNS_OF_EXAMPLES)


async def builds(ask: Asking, given: Values) -> Answer:
    """Builds and operations."""
    return await ask.answer(catalog.builds(given["rows"]))
