{# How did the runs of a sync end that moved to another vendor, and what is in their logs? #}
with

moved_syncs as (
    -- replace it with your seed: a row for each sync that moved
    select *
    from
        values
        ('502', '3003', 'borealis', '880')
            as moved (old_organization_id, old_sync_id, new_organization_id, new_sync_id)
),

runs as (
    select * from {{ ref('sync_runs') }}
),

coverage as (
    select * from {{ ref('log_coverage') }}
),

-- both halves under one name: the ids at the new vendor
halves as (
    select
        new_organization_id,
        new_sync_id,
        old_organization_id as organization_id,
        old_sync_id as sync_id
    from moved_syncs
    union all
    select
        new_organization_id,
        new_sync_id,
        new_organization_id as organization_id,
        new_sync_id as sync_id
    from moved_syncs
)

select
    runs.vendor,
    runs.source_name,
    runs.sync_id,
    runs.sync_run_id,
    runs.started_at,
    runs.status,
    runs.num_succeeded_add as added,
    runs.num_succeeded_change as changed,
    runs.num_succeeded_remove as removed,
    runs.num_failed_add + runs.num_failed_change + runs.num_failed_remove as rejected,
    coverage.issue as issue_of_the_log
from runs
inner join halves
    on runs.organization_id = halves.organization_id and runs.sync_id = halves.sync_id
inner join coverage
    on
        runs.organization_id = coverage.organization_id
        and runs.sync_id = coverage.sync_id
        and runs.sync_run_id = coverage.sync_run_id
order by halves.new_organization_id asc, halves.new_sync_id asc, runs.order_at desc
