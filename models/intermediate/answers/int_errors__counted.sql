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

records_open as (
    select * from {{ sync_logs.of_load(ref('int_record_states__counted')) }}
    where is_open
),

records_sampled as (
    select
        *,
        case
            when identifier is not null
                then row_number() over (
                    partition by organization_id, sync_id, failed_reason
                    order by identifier is null asc, last_seen_position desc, identifier asc
                )
        end as sample_number
    from record_errors
),

reasons_counted as (
    select
        organization_id,
        sync_id,
        failed_reason,
        -- each row without a key is a record of its own
        sum(case when identifier is null then attempt_count else 1 end) as record_count,
        sum(attempt_count) as attempt_count,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at,
        max_by(last_sync_run_id, last_seen_position) as last_sync_run_id,
        array_sort(
            collect_list(case when sample_number <= 5 then struct(sample_number, identifier) end)
        ).identifier as sample_identifiers
    from records_sampled
    group by organization_id, sync_id, failed_reason
)

select
    reasons_counted.organization_id,
    reasons_counted.sync_id,
    reasons_counted.failed_reason,
    reasons_counted.record_count,
    coalesce(records_open.record_count, 0) as open_record_count,
    reasons_counted.attempt_count,
    reasons_counted.first_seen_at,
    reasons_counted.last_seen_at,
    reasons_counted.last_sync_run_id,
    to_json(reasons_counted.sample_identifiers) as sample_identifiers,
    row_number() over (
        partition by reasons_counted.organization_id, reasons_counted.sync_id
        order by
            reasons_counted.record_count desc,
            reasons_counted.attempt_count desc,
            reasons_counted.failed_reason asc nulls last
    ) as rank_in_sync,
    reasons_categorised.category,
    reasons_categorised.is_transient
from reasons_counted
left join records_open
    on
        reasons_counted.organization_id = records_open.organization_id
        and reasons_counted.sync_id = records_open.sync_id
        and reasons_counted.failed_reason <=> records_open.failed_reason
left join reasons_categorised
    on
        reasons_counted.organization_id = reasons_categorised.organization_id
        and reasons_counted.failed_reason <=> reasons_categorised.failed_reason
