{# What is the most common error of each sync? #}
with

errors as (
    select * from {{ ref('errors_by_sync') }}
)

select
    organization_id,
    sync_id,
    failure_reason,
    record_count,
    attempt_count,
    last_seen_at
from errors
where rank_in_sync = 1
order by organization_id asc, sync_id asc
