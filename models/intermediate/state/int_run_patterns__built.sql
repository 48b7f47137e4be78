{# How many rows and records failed with each pattern in the replayed runs. #}
with

changelog as (
    select * from {{ sync_logs.of_load(ref('int_changelog__built')) }}
    where status = 'failed'
)

select
    organization_id,
    sync_id,
    sync_run_id,
    failure_pattern,
    count(*) as attempt_count,
    -- each row without a key is a record of its own
    count(distinct identifier) + count_if(identifier is null) as record_count
from changelog
group by organization_id, sync_id, sync_run_id, failure_pattern
