-- Memberships that the last load closed: one per record and run, and none ends before it starts.
-- depends_on: {{ ref('sync_logs', 'audience_memberships') }} (a leaf: it must block nothing)
with

load_current as (
    select * from {{ ref('sync_load_current') }}
    where {{ sync_logs.is_load_to_test() }}
),

memberships_built as (
    select * from {{ ref('int_memberships__built') }}
    where load_id = (select load_current.load_id from load_current)
)

select
    organization_id,
    sync_id,
    identifier,
    exited_sync_run_id,
    count(*) as row_count
from memberships_built
group by organization_id, sync_id, identifier, exited_sync_run_id
having
    count(*) > 1
    or count_if(entered_at > exited_at) > 0
