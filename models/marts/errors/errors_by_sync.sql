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
        organization_id,
        failed_reason,
        sum(record_count) as record_count,
        sum(attempt_count) as attempt_count
    from reasons_counted
    group by organization_id, failed_reason
),

reasons_ranked as (
    select
        organization_id,
        failed_reason,
        row_number() over (
            partition by organization_id
            order by record_count desc, attempt_count desc, failed_reason asc nulls last
        ) as rank_overall
    from reasons_summed
)

select
    reasons_counted.sync_id,
    reasons_counted.failed_reason as failure_reason,
    reasons_counted.record_count,
    coalesce(open_records_counted.open_record_count, 0) as open_record_count,
    reasons_counted.attempt_count,
    reasons_counted.first_seen_at,
    reasons_counted.last_seen_at,
    to_json(reasons_counted.sample_identifiers) as sample_identifiers,
    row_number() over (
        partition by reasons_counted.organization_id, reasons_counted.sync_id
        order by
            reasons_counted.record_count desc,
            reasons_counted.attempt_count desc,
            reasons_counted.failed_reason asc nulls last
    ) as rank_in_sync,
    reasons_ranked.rank_overall,
    reasons_counted.organization_id,
    reasons_categorised.category,
    reasons_categorised.is_transient,
    reasons_counted.last_sync_run_id,
    reasons_counted.data_until_at
from reasons_counted
left join open_records_counted
    on
        reasons_counted.organization_id = open_records_counted.organization_id
        and reasons_counted.sync_id = open_records_counted.sync_id
        and reasons_counted.failed_reason <=> open_records_counted.failed_reason
left join reasons_ranked
    on
        reasons_counted.organization_id = reasons_ranked.organization_id
        and reasons_counted.failed_reason <=> reasons_ranked.failed_reason
left join reasons_categorised
    on
        reasons_counted.organization_id = reasons_categorised.organization_id
        and reasons_counted.failed_reason <=> reasons_categorised.failed_reason
