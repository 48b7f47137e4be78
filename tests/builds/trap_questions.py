"""The usual queries on reverse ETL logs, and ours; the numbers come from a list of traps.

Two traps, 31 and 33, are not a pair of queries: see test_vendor_traps.py. Six give no wrong number
and have no entry: the order in a view, which is not kept (11), one name for two things or two names
for one (17, 23), payloads whose meaning depends on the vendor (21), a metadata.json without a
documented key (30; hostile lakes have its kinds), and what users request first (34).
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Trap:
    """A wrong query, a right one, and the answer by hand, with rows in any order."""

    name: str
    usual_way: str
    our_way: str
    answer: list[tuple[Any, ...]]


# The greatest value of a column at the first of two builds, up to which a reader has read.
READ_UNTIL = """select max({}) from sync_log
    where sync_id = 'overtaken'
    and _census_logged_at = (select min(_census_logged_at) from sync_log)"""

TRAPS = (
    Trap(
        "01 events are repeated for every run if runs are joined only by sync",
        """select log.row_id, log.op_type, runs.started_at from sync_changelog as log
        join sync_runs as runs on log.sync_id = runs.sync_id
        where log.sync_id = 'resync' and log.op_type = 'added'""",
        """select row_id, event_type, date_format(event_at, 'HH:mm') from audience_events
        where sync_id = 'resync'""",
        [("eve", "entered", "00:05")],
    ),
    Trap(
        "02 records are repeated for every run if the snapshot is joined to runs only by sync",
        """select snapshot.row_id, runs.sync_run_id from sync_snapshot as snapshot
        join sync_runs as runs on snapshot.sync_id = runs.sync_id
        where snapshot.sync_id = 'fields'""",
        "select row_id, last_sync_run_id from sync_snapshot where sync_id = 'fields'",
        [("ola", "4")],
    ),
    Trap(
        "03 two syncs of one model are mixed if history is kept by model name",
        """select row_id from (
            select log.row_id, max_by(log.op_type, runs.started_at) as last_op_type
            from sync_changelog as log
            join sync_runs as runs using (organization_id, sync_id, sync_run_id)
            where organization_id = 'o' and model_name like 'People%' and log.status = 'succeeded'
            group by log.row_id
        ) where last_op_type != 'removed'""",
        """select row_id from audience_members
        where organization_id = 'o' and sync_id in ('people', 'people_too')""",
        [("ann",)],
    ),
    Trap(
        "04 a renamed model gives a sync two rows",
        """select distinct sync_id, model_name from sync_runs
        where organization_id = 'o' and sync_id = 'people'""",
        """select sync_id, model_name from sync_statistics
        where organization_id = 'o' and sync_id = 'people'""",
        [("people", "People (new)")],
    ),
    Trap(
        "05 runs that start together are ordered by the text of their ids",
        """select row_id from (
            select
                log.row_id,
                max_by(log.op_type, struct(started_at, sync_run_id)) as last_op_type
            from sync_changelog as log
            join sync_runs as runs using (organization_id, sync_id, sync_run_id)
            where sync_id = 'ties' group by log.row_id
        ) where last_op_type != 'removed'""",
        "select row_id from audience_members where sync_id = 'ties'",
        [],
    ),
    Trap(
        "06 a rejected addition counts as an entry",
        """select row_id from sync_changelog
        where organization_id = 'o' and sync_id = 'people' and op_type = 'added'""",
        """select row_id from audience_events
        where organization_id = 'o' and sync_id = 'people' and event_type = 'entered'""",
        [("ann",), ("bob",)],
    ),
    Trap(
        "07 members that entered before the log began are lost",
        "select row_id from sync_changelog where sync_id = 'late' and op_type = 'added'",
        "select row_id from audience_events where sync_id = 'late' and event_type = 'entered'",
        [("dan",)],
    ),
    Trap(
        "08 a record that is sent again enters again",
        """select record_identifier from sync_log
        where sync_id = 'resync' and status = 'succeeded' and operation = 'upsert'""",
        "select row_id from audience_events where sync_id = 'resync' and event_type = 'entered'",
        [("eve",)],
    ),
    Trap(
        "09 a removal that the sync does not carry out counts as one",
        "select row_id from sync_snapshot where sync_id = 'keeping' and op_type != 'removed'",
        "select row_id from audience_members where sync_id = 'keeping'",
        [("pam",)],
    ),
    Trap(
        "10 a join to runs that are not kept loses rows",
        """select log.row_id, runs.finished_at from sync_changelog as log
        join sync_runs as runs using (organization_id, sync_id, sync_run_id)
        where sync_id = 'runless'""",
        """select row_id, date_format(event_at, 'HH:mm') from audience_events
        where sync_id = 'runless'""",
        [("quin", "00:05")],
    ),
    Trap(
        "12 a record that was never sent counts as current because it did not fail",
        "select row_id from sync_snapshot where sync_id = 'stopped' and status != 'failed'",
        "select row_id from sync_snapshot where sync_id = 'stopped' and is_delivered",
        [("fay",)],
    ),
    Trap(
        "13 a rejected change counts as an exit from the destination",
        """select row_id from sync_snapshot
        where organization_id = 'o' and sync_id = 'people' and status != 'failed'""",
        """select row_id from sync_snapshot
        where organization_id = 'o' and sync_id = 'people' and is_delivered""",
        [("ann",)],
    ),
    Trap(
        # in a subquery, because Spark 3.5 has no QUALIFY
        "14 one of the rows of two syncs of a model is picked at random",
        """select sync_id, is_delivered from (
            select
                sync_id, is_delivered,
                row_number() over (partition by model_name, row_id order by null) as pick
            from sync_snapshot
            join sync_statistics using (organization_id, sync_id)
            where model_name = 'Both'
        ) where pick = 1""",
        """select sync_id, is_delivered from sync_snapshot
        join sync_statistics using (organization_id, sync_id)
        where model_name = 'Both'""",
        [("east", True), ("west", False)],
    ),
    Trap(
        "15 the snapshot is read as history",
        """select row_id from sync_snapshot
        where organization_id = 'o' and sync_id = 'people' and is_delivered""",
        """select row_id from audience_memberships
        where organization_id = 'o' and sync_id = 'people'
        and entered_at <= timestamp '2025-03-01T00:30:00Z'
        and coalesce(exited_at > timestamp '2025-03-01T00:30:00Z', true)""",
        [("ann",), ("bob",)],
    ),
    Trap(
        "16 the statuses of the latest run are read as those of all records",
        """select row_id, status from sync_changelog
        where sync_id = 'partial' and sync_run_id = '2'""",
        "select row_id, status from sync_snapshot where sync_id = 'partial'",
        [("sue", "aborted"), ("tom", "succeeded")],
    ),
    Trap(
        "18 invalid rows are missed because their status is not rejected",
        "select count(*) from sync_log where sync_id = 'dirty' and status = 'rejected'",
        "select sum(attempt_count) from errors_by_sync where sync_id = 'dirty'",
        [(3,)],
    ),
    Trap(
        "19 the text NULL is read as a missing key",
        """select row_id from sync_snapshot
        where sync_id = 'texts' and nullif(row_id, 'NULL') is not null""",
        "select row_id from sync_snapshot where sync_id = 'texts'",
        [("NULL",)],
    ),
    Trap(
        "20 invalid rows count in the rejection rate",
        """select count_if(status = 'failed') / count(*) from sync_changelog
        where sync_id = 'dirty'""",
        "select rejection_rate from sync_statistics where sync_id = 'dirty'",
        [(0.5,)],
    ),
    Trap(
        "22 an upsert counts as an addition",
        "select sync_run_id, 'added' from sync_log where sync_id = 'resync'",
        "select sync_run_id, op_type from sync_changelog where sync_id = 'resync'",
        [("1", "added"), ("2", "changed")],
    ),
    Trap(
        "24 a run that succeeded is read as one without failures",
        "select count_if(status = 'failed') from sync_runs where sync_id = 'dirty'",
        "select open_record_count from sync_statistics where sync_id = 'dirty'",
        [(1,)],
    ),
    Trap(
        "25 syncs with the same id in two organisations are mixed",
        """select sync_id, count_if(is_delivered) from sync_snapshot
        where sync_id = 'people' group by sync_id""",
        """select sync_id, member_count from sync_statistics
        where organization_id = 'o' and sync_id = 'people'""",
        [("people", 1)],
    ),
    Trap(
        "26 run and identifier are used as a key",
        "select count(distinct sync_run_id, row_id) from sync_changelog where sync_id = 'dirty'",
        "select count(distinct changelog_id) from sync_changelog where sync_id = 'dirty'",
        [(4,)],
    ),
    Trap(
        "27 every attempt of a run counts as an outcome",
        """select record_identifier from sync_log
        where sync_id = 'retried' and status = 'rejected'""",
        "select row_id from sync_snapshot where sync_id = 'retried' and status = 'failed'",
        [],
    ),
    Trap(
        "28 an incremental read from the latest batch end misses late rows",
        f"""select record_identifier from sync_log where sync_id = 'overtaken'
        and batch_completed_at > ({READ_UNTIL.format("batch_completed_at")})""",
        f"""select record_identifier from sync_log where sync_id = 'overtaken'
        and _census_logged_at > ({READ_UNTIL.format("_census_logged_at")})""",
        [("vic",)],
    ),
    Trap(
        "29 a join to the names loses rows that have no name yet, or never get one",
        """select log.record_identifier, destinations.name from sync_log as log
        join destinations on log.organization_id = destinations.organization_id
        and log.destination_id = destinations.id
        where log.sync_id = 'named'""",
        """select log.record_identifier, destinations.name from sync_log as log
        left join destinations on log.organization_id = destinations.organization_id
        and log.destination_id = destinations.id
        where log.sync_id = 'named'""",
        [("wes", "Ads"), ("xan", None)],
    ),
    Trap(
        "5d count() on ones and zeros counts every row",
        """select count(case when status = 'succeeded' then 1 else 0 end) from sync_changelog
        where sync_id = 'dirty'""",
        "select succeeded_count from sync_statistics where sync_id = 'dirty'",
        [(1,)],
    ),
    Trap(
        "5d != misses changes from null, and counts field changes in rows that were never sent",
        """select sync_run_id, previous_a, new_a from (
            select sync_run_id, get_json_object(fields, '$.a') as new_a,
                lag(get_json_object(fields, '$.a')) over (order by sync_run_id) as previous_a
            from sync_changelog where sync_id = 'fields'
        ) where previous_a != new_a""",
        """select sync_run_id, previous_value, new_value from field_changes
        where sync_id = 'fields' and field_name = 'a'""",
        [("2", None, "x")],
    ),
    Trap(
        "5d the latest run is the run with the greatest id as text",
        """select max(sync_run_id) from sync_changelog
        where organization_id = 'o' and sync_id = 'people'""",
        """select last_sync_run_id from sync_statistics
        where organization_id = 'o' and sync_id = 'people'""",
        [("11",)],
    ),
    Trap(
        "5d a resolved error still counts as open",
        """select count(distinct row_id) from sync_changelog
        where sync_id = 'healed' and status = 'failed'""",
        "select open_record_count from errors_by_sync where sync_id = 'healed'",
        [(0,)],
    ),
    Trap(
        "5e a run without rows is missed",
        "select count(distinct sync_run_id) from sync_log where sync_id = 'quiet'",
        "select run_count from sync_statistics where sync_id = 'quiet'",
        [(2,)],
    ),
    Trap(
        "5e one bad row counts once for each retry",
        "select count(*) from sync_changelog where sync_id = 'stubborn' and status = 'failed'",
        "select record_count from errors_by_sync where sync_id = 'stubborn'",
        [(1,)],
    ),
)
