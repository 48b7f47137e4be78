with

record_errors as (
    select * from {{ ref('int_record_errors__kept') }}
),

reasons_categorised as (
    select * from {{ ref('int_reasons__categorised') }}
),

record_states as (
    select * from {{ ref('int_record_states__live') }}
),

open_records_counted as (
    select
        organization_id,
        sync_id,
        failed_reason,
        count(*) as open_record_count
    from record_states
    where is_in_snapshot and status = 'failed'
    group by organization_id, sync_id, failed_reason
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
        ).identifier as sample_identifiers,
        max(data_until_at) as data_until_at
    from records_sampled
    group by organization_id, sync_id, failed_reason
),

reasons_summed as (
    select
        *,
        sum(record_count) over reason as record_count_overall,
        sum(attempt_count) over reason as attempt_count_overall
    from reasons_counted
    window reason as (partition by organization_id, failed_reason)
)

select
    reasons_summed.sync_id,
    reasons_summed.failed_reason as failure_reason,
    reasons_summed.record_count,
    coalesce(open_records_counted.open_record_count, 0) as open_record_count,
    reasons_summed.attempt_count,
    reasons_summed.first_seen_at,
    reasons_summed.last_seen_at,
    to_json(reasons_summed.sample_identifiers) as sample_identifiers,
    row_number() over (
        partition by reasons_summed.organization_id, reasons_summed.sync_id
        order by
            reasons_summed.record_count desc,
            reasons_summed.attempt_count desc,
            reasons_summed.failed_reason asc nulls last
    ) as rank_in_sync,
    -- a reason has one rank in all syncs of an organisation: no other rows are equal here
    dense_rank() over (
        partition by reasons_summed.organization_id
        order by
            reasons_summed.record_count_overall desc,
            reasons_summed.attempt_count_overall desc,
            reasons_summed.failed_reason asc nulls last
    ) as rank_overall,
    reasons_summed.organization_id,
    reasons_categorised.category,
    reasons_categorised.is_transient,
    reasons_summed.last_sync_run_id,
    reasons_summed.data_until_at
from reasons_summed
left join open_records_counted
    on
        reasons_summed.organization_id = open_records_counted.organization_id
        and reasons_summed.sync_id = open_records_counted.sync_id
        and reasons_summed.failed_reason <=> open_records_counted.failed_reason
left join reasons_categorised
    on
        reasons_summed.organization_id = reasons_categorised.organization_id
        and reasons_summed.failed_reason <=> reasons_categorised.failed_reason
