with

record_history as (
    select * from {{ ref('sync_logs', 'record_history') }}
),

records_flapping as (
    select
        *,
        entry_count - 1 as flap_count
    from record_history
    where entry_count >= 2
)

select
    sync_id,
    row_id,
    flap_count,
    entry_count,
    exit_count,
    changed_count,
    row_number() over (
        partition by organization_id, sync_id
        order by flap_count desc, changed_count desc, row_id asc
    ) as rank_in_sync,
    first_attempted_at,
    last_attempted_at,
    is_delivered,
    organization_id,
    data_until_at,
    source_name,
    vendor
from records_flapping
