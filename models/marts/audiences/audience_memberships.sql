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

sources as (
    select * from {{ ref('int_sources__live') }}
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
        memberships.exit_observed
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
        cast(null as boolean) as exit_observed
    from record_states
    where is_delivered
),

memberships_known as (
    select * from closed_memberships
    union all
    select * from open_memberships
)

select
    memberships_known.sync_id,
    memberships_known.identifier as row_id,
    memberships_known.latest_model_name as audience_name,
    memberships_known.entered_at,
    memberships_known.exited_at,
    memberships_known.entered_sync_run_id,
    memberships_known.exited_sync_run_id,
    memberships_known.entry_observed,
    memberships_known.exit_observed,
    memberships_known.organization_id,
    memberships_known.data_until_at,
    sources.shown.*
from memberships_known
left join sources
    on memberships_known.organization_id = sources.organization_id
