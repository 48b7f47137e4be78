-- Accounting: each sync has as many delivered rows in the snapshot as open memberships.
-- Syncs that keep no snapshot have nothing to compare.
{{ config(tags=['full_scan']) }}
with

snapshot_rows as (
    select * from {{ ref('sync_logs', 'sync_snapshot') }}
),

memberships as (
    select * from {{ ref('sync_logs', 'audience_memberships') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

delivered_counts as (
    select
        organization_id,
        sync_id,
        count(*) as delivered_count
    from snapshot_rows
    where is_delivered
    group by organization_id, sync_id
),

open_counts as (
    select
        memberships.organization_id,
        memberships.sync_id,
        count(*) as open_count
    from memberships
    where
        memberships.exited_sync_run_id is null
        and {{ sync_logs.is_kept('memberships', 'keep_snapshot') }}
    group by memberships.organization_id, memberships.sync_id
)

select
    coalesce(delivered_counts.organization_id, open_counts.organization_id) as organization_id,
    coalesce(delivered_counts.sync_id, open_counts.sync_id) as sync_id,
    delivered_counts.delivered_count,
    open_counts.open_count
from delivered_counts
full outer join open_counts
    on
        delivered_counts.organization_id = open_counts.organization_id
        and delivered_counts.sync_id = open_counts.sync_id
where delivered_counts.delivered_count is distinct from open_counts.open_count
