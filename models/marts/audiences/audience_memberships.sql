with

memberships as (
    select * from {{ ref('int_memberships__built') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

record_states as (
    select * from {{ ref('int_record_states__live') }}
),

closed_memberships as (
    select /*+ broadcast(runs) */
        memberships.organization_id,
        memberships.sync_id,
        memberships.identifier,
        runs.latest_model_name,
        runs.data_until_at,
        memberships.entered_at,
        memberships.exited_at,
        memberships.entered_sync_run_id,
        memberships.exited_sync_run_id,
        memberships.entry_observed,
        memberships.exit_observed,
        runs.source_name,
        runs.vendor
    from memberships
    inner join runs
        on
            memberships.load_id = runs.built_load_id
            and memberships.organization_id = runs.organization_id
            and memberships.sync_id = runs.sync_id
            and memberships.exited_sync_run_id = runs.sync_run_id
),

open_memberships as (
    select
        organization_id,
        sync_id,
        identifier,
        latest_model_name,
        data_until_at,
        entered_at,
        cast(null as timestamp) as exited_at,
        entered_sync_run_id,
        cast(null as string) as exited_sync_run_id,
        entry_observed,
        cast(null as boolean) as exit_observed,
        source_name,
        vendor
    from record_states
    where is_delivered
),

memberships_known as (
    select * from closed_memberships
    union all
    select * from open_memberships
)

select
    sync_id,
    identifier as row_id,
    latest_model_name as audience_name,
    entered_at,
    exited_at,
    entered_sync_run_id,
    exited_sync_run_id,
    entry_observed,
    exit_observed,
    organization_id,
    data_until_at,
    source_name,
    vendor
from memberships_known
