with

memberships as (
    select * from {{ ref('sync_logs', 'audience_memberships') }}
)

select
    sync_id,
    row_id,
    audience_name,
    entered_at,
    entered_sync_run_id,
    entry_observed,
    organization_id,
    data_until_at,
    source_name,
    vendor
from memberships
where exited_sync_run_id is null
