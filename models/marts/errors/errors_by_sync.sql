with

errors_counted as (
    select * from {{ sync_logs.of_committed(ref('int_errors__counted')) }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

errors_kept as (
    select errors_counted.*
    from errors_counted
    where {{ sync_logs.is_kept('errors_counted', 'keep_changelog') }}
),

reasons_summed as (
    select
        *,
        sum(record_count) over reason as record_count_overall,
        sum(attempt_count) over reason as attempt_count_overall
    from errors_kept
    window reason as (partition by organization_id, failed_reason)
)

select
    sync_id,
    failed_reason as failure_reason,
    record_count,
    open_record_count,
    attempt_count,
    first_seen_at,
    last_seen_at,
    sample_identifiers,
    rank_in_sync,
    -- all rows of one reason share its rank, because only they have the same sort key
    dense_rank() over (
        partition by organization_id
        order by
            record_count_overall desc,
            attempt_count_overall desc,
            failed_reason asc nulls last
    ) as rank_overall,
    organization_id,
    category,
    is_transient,
    last_sync_run_id,
    data_until_at,
    source_name,
    vendor
from reasons_summed
