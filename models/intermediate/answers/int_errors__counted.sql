{#
  What `errors_by_sync` shows for each failure reason of a sync, except the rank across the syncs of
  an organisation.
#}
with

record_errors as (
    select * from {{ ref('int_record_errors__latest') }}
),

reasons_categorised as (
    select * from {{ sync_logs.of_load(ref('int_reasons__sorted')) }}
),

record_states_counted as (
    select * from {{ sync_logs.of_load(ref('int_record_states__counted')) }}
    where is_open
),

records_open as (
    select
        organization_id,
        sync_id,
        failed_reason,
        sum(record_count) as record_count,
        min(failing_since_at) as failing_since_at
    from record_states_counted
    group by organization_id, sync_id, failed_reason
),

{{ sync_logs.errors_counted_by('failed_reason') }}

select
    errors_summed.organization_id,
    errors_summed.sync_id,
    errors_summed.failed_reason,
    errors_summed.first_pattern as failure_pattern,
    errors_summed.record_count,
    coalesce(records_open.record_count, 0) as open_record_count,
    errors_summed.attempt_count,
    errors_summed.first_seen_at,
    errors_summed.last_seen_at,
    errors_summed.last_sync_run_id,
    errors_summed.sample_identifiers,
    records_open.failing_since_at,
    row_number() over (
        partition by errors_summed.organization_id, errors_summed.sync_id
        order by
            errors_summed.record_count desc,
            errors_summed.attempt_count desc,
            errors_summed.failed_reason asc nulls last
    ) as rank_in_sync,
    reasons_categorised.category,
    reasons_categorised.is_transient
from errors_summed
left join records_open
    on
        errors_summed.organization_id = records_open.organization_id
        and errors_summed.sync_id = records_open.sync_id
        and errors_summed.failed_reason <=> records_open.failed_reason
left join reasons_categorised
    on
        errors_summed.organization_id = reasons_categorised.organization_id
        and errors_summed.failed_reason <=> reasons_categorised.failed_reason
