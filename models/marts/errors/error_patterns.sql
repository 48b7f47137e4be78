with

patterns as (
    select * from {{ sync_logs.of_committed(ref('int_error_patterns__counted')) }}
),

syncs as (
    select * from {{ sync_logs.of_committed(ref('int_syncs__counted')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    patterns.sync_id,
    patterns.failure_pattern,
    patterns.record_count,
    patterns.open_record_count,
    patterns.attempt_count,
    patterns.run_count,
    patterns.bystander_count,
    patterns.failure_reason_count,
    patterns.first_seen_at,
    patterns.last_seen_at,
    patterns.first_sync_run_id,
    patterns.last_sync_run_id,
    patterns.is_new,
    patterns.sample_failure_reason,
    patterns.sample_identifiers,
    patterns.rank_in_sync,
    patterns.category,
    patterns.is_transient,
    patterns.hint,
    patterns.organization_id,
    syncs.data_until_at,
    sources.shown.*
from patterns
left join syncs
    on
        patterns.organization_id = syncs.organization_id
        and patterns.sync_id = syncs.sync_id
left join sources
    on patterns.organization_id = sources.organization_id
where {{ sync_logs.is_kept('patterns', 'keep_changelog') }}
