with

errors_counted as (
    select * from {{ sync_logs.of_committed(ref('int_errors__counted')) }}
),

syncs as (
    select * from {{ sync_logs.of_committed(ref('int_syncs__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

errors_kept as (
    select errors_counted.*
    from errors_counted
    where {{ sync_logs.is_kept('errors_counted', 'keep_changelog') }}
),

-- without a WINDOW clause, which Iceberg's catalogs do not resolve in views
reasons_summed as (
    select
        *,
        sum(record_count) over (partition by organization_id, failed_reason)
            as record_count_overall,
        sum(attempt_count) over (partition by organization_id, failed_reason)
            as attempt_count_overall
    from errors_kept
)

select
    reasons_summed.sync_id,
    reasons_summed.failed_reason as failure_reason,
    reasons_summed.failure_pattern,
    reasons_summed.record_count,
    reasons_summed.open_record_count,
    reasons_summed.attempt_count,
    reasons_summed.first_seen_at,
    reasons_summed.last_seen_at,
    reasons_summed.failing_since_at,
    reasons_summed.sample_identifiers,
    reasons_summed.rank_in_sync,
    -- all rows of one reason share its rank, because only they have the same sort key
    dense_rank() over (
        partition by reasons_summed.organization_id
        order by
            reasons_summed.record_count_overall desc,
            reasons_summed.attempt_count_overall desc,
            reasons_summed.failed_reason asc nulls last
    ) as rank_overall,
    reasons_summed.organization_id,
    reasons_summed.category,
    reasons_summed.is_transient,
    reasons_summed.last_sync_run_id,
    syncs.data_until_at,
    sources.shown.*
from reasons_summed
left join syncs
    on
        reasons_summed.organization_id = syncs.organization_id
        and reasons_summed.sync_id = syncs.sync_id
left join sources
    on reasons_summed.organization_id = sources.organization_id
