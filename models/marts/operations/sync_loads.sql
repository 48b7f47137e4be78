with

loads_recorded as (
    select * from {{ sync_logs.of_committed(ref('int_loads__recorded')) }}
)

select
    recorded_load_id as load_id,
    started_at,
    finished_at,
    (unix_micros(finished_at) - unix_micros(started_at)) / double(1000000) as duration_seconds,
    as_of,
    listed_file_count,
    new_file_count,
    changed_file_count,
    vanished_file_count,
    unreadable_file_count,
    landed_record_count,
    run_count,
    landed_run_count,
    replayed_run_count,
    replayed_sync_count,
    is_full_refresh,
    operation,
    case
        when operation != 'build' then null
        when new_file_count + changed_file_count > 0 then null
        when replayed_run_count > 0
            then
                'no new file; runs have settled, records were purged, '
                || 'or words mean something else'
        else 'nothing new'
    end as skipped_reason
from loads_recorded
