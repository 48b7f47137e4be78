{# What did the syncs of each vendor do, and how complete are their logs? #}
with

syncs as (
    select * from {{ ref('sync_statistics') }}
),

coverage as (
    select * from {{ ref('log_coverage') }}
),

syncs_counted as (
    select
        source_name,
        vendor,
        count(*) as sync_count,
        sum(run_count) as run_count,
        sum(failed_run_count) as failed_run_count,
        -- records that were rejected before they were sent are logged by some vendors only
        sum(attempted_count - invalid_count) as sent_count,
        sum(failed_count - invalid_count) as rejected_count,
        sum(open_record_count) as open_record_count,
        max(last_run_at) as last_run_at
    from syncs
    group by source_name, vendor
),

logs_counted as (
    select
        source_name,
        vendor,
        count_if(issue not in ('pruned', 'not settled', 'successes not logged')) as incomplete_count
    from coverage
    group by source_name, vendor
)

select
    syncs_counted.vendor,
    syncs_counted.source_name,
    syncs_counted.sync_count as syncs,
    syncs_counted.run_count as runs,
    syncs_counted.failed_run_count as failed_runs,
    logs_counted.incomplete_count as incomplete_logs,
    syncs_counted.sent_count as sent_rows,
    round(100 * syncs_counted.rejected_count / nullif(syncs_counted.sent_count, 0), 1)
        as rejected_percent,
    syncs_counted.open_record_count as failing_records,
    syncs_counted.last_run_at as latest_run_at
from syncs_counted
inner join logs_counted
    on
        syncs_counted.source_name <=> logs_counted.source_name
        and syncs_counted.vendor <=> logs_counted.vendor
order by syncs_counted.vendor asc, syncs_counted.source_name asc
