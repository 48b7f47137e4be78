-- Fails with each sync whose settings contradict themselves or mean nothing.
-- depends_on: {{ ref('sync_logs', 'sync_runs') }} (a leaf: a failure here must hold up nothing)
with

settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    organization_id,
    sync_id,
    count(*) as row_count
from settings
group by organization_id, sync_id
having
    count(*) > 1
    or organization_id is null
    or sync_id is null
    or min(retention_days) < 0
