with

record_states as (
    select * from {{ ref('int_record_states__live') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    record_states.sync_id,
    record_states.identifier as row_id,
    record_states.first_attempted_at,
    record_states.first_added_at,
    record_states.last_succeeded_at,
    record_states.last_failed_at,
    record_states.last_attempted_at,
    coalesce(record_states.planned_count, 0) as planned_count,
    coalesce(record_states.succeeded_count + record_states.failed_count, 0) as attempted_count,
    coalesce(record_states.succeeded_count, 0) as succeeded_count,
    coalesce(record_states.failed_count, 0) as failed_count,
    coalesce(record_states.invalid_count, 0) as invalid_count,
    coalesce(record_states.aborted_count, 0) as aborted_count,
    coalesce(record_states.added_count, 0) as added_count,
    coalesce(record_states.changed_count, 0) as changed_count,
    coalesce(record_states.removed_count, 0) as removed_count,
    coalesce(record_states.entry_count, 0) as entry_count,
    coalesce(record_states.exit_count, 0) as exit_count,
    record_states.op_type,
    record_states.status,
    record_states.failed_reason as failure_reason,
    record_states.last_sync_run_id,
    record_states.is_delivered,
    record_states.entered_at,
    coalesce(record_states.failure_count, 0) as failure_count,
    record_states.failure.first.attempted_at as failing_since_at,
    record_states.organization_id,
    record_states.data_until_at,
    sources.shown.*
from record_states
left join sources
    on record_states.organization_id = sources.organization_id
where {{ sync_logs.is_kept('record_states', 'keep_changelog') }}
