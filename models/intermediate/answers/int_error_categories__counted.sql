{# What `errors_by_category` shows for each category of a sync. #}
with

record_errors as (
    select * from {{ ref('int_record_errors__latest') }}
),

reasons_categorised as (
    select * from {{ sync_logs.of_load(ref('int_reasons__sorted')) }}
),

errors_counted as (
    select * from {{ sync_logs.of_load(ref('int_errors__counted')) }}
),

rules as (
    select * from {{ sync_logs.of_load(ref('int_error_rules__used')) }}
    where fault is null
),

errors_categorised as (
    select /*+ broadcast(reasons_categorised) */
        record_errors.organization_id,
        record_errors.sync_id,
        record_errors.identifier,
        record_errors.attempt_count,
        reasons_categorised.category
    from record_errors
    inner join reasons_categorised
        on
            record_errors.organization_id = reasons_categorised.organization_id
            and record_errors.failed_reason <=> reasons_categorised.failed_reason
),

-- a record that failed with two reasons of a category counts once in it
records_counted as (
    select
        organization_id,
        sync_id,
        category,
        count(distinct identifier)
        + sum(case when identifier is null then attempt_count else 0 end) as record_count
    from errors_categorised
    group by organization_id, sync_id, category
),

reasons_summed as (
    select
        organization_id,
        sync_id,
        category,
        count(*) as failure_reason_count,
        sum(open_record_count) as open_record_count,
        sum(attempt_count) as attempt_count,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at,
        min_by(failed_reason, rank_in_sync) as top_failure_reason
    from errors_counted
    group by organization_id, sync_id, category
),

categories as (
    select
        category,
        min_by(
            named_struct('is_transient', is_transient, 'hint', hint), struct(priority, pattern)
        ) as first_rule
    from rules
    group by category
)

select
    reasons_summed.organization_id,
    reasons_summed.sync_id,
    reasons_summed.category,
    categories.first_rule.is_transient,
    categories.first_rule.hint,
    records_counted.record_count,
    reasons_summed.open_record_count,
    reasons_summed.attempt_count,
    reasons_summed.failure_reason_count,
    reasons_summed.first_seen_at,
    reasons_summed.last_seen_at,
    reasons_summed.top_failure_reason
from reasons_summed
left join records_counted
    on
        reasons_summed.organization_id = records_counted.organization_id
        and reasons_summed.sync_id = records_counted.sync_id
        and reasons_summed.category = records_counted.category
left join categories
    on reasons_summed.category = categories.category
