{# What `sync_statistics` shows for each sync. #}
with

runs as (
    select * from {{ sync_logs.of_load(ref('int_runs__published')) }}
),

records_counted as (
    select * from {{ sync_logs.of_load(ref('int_record_states__counted')) }}
),

failures_counted as (
    select * from {{ sync_logs.of_load(ref('int_failures__counted')) }}
),

sources as (
    select * from {{ sync_logs.of_load(ref('int_sources__known')) }}
),

runs_timed as (
    select
        *,
        {{ sync_logs.run_micros('runs') }} as run_micros
    from runs
    where is_too_late is not true
),

runs_too_late_counted as (
    select
        organization_id,
        sync_id,
        count(*) as too_late_run_count
    from runs
    where is_too_late
    group by organization_id, sync_id
),

runs_summed as (
    select
        organization_id,
        sync_id,
        max(latest_model_name) as model_name,
        max_by(known_destination_type, position) filter (where known_destination_type is not null)
            as destination,
        count(*) as run_count,
        count_if(status = 'succeeded') as succeeded_run_count,
        count_if(status = 'failed') as failed_run_count,
        count_if(status is null) as unsettled_run_count,
        count_if(not is_log_complete) as incomplete_run_count,
        count_if(order_at is null) as undated_run_count,
        min(order_at) as first_run_at,
        max(order_at) as last_run_at,
        max_by(order_at, position) filter (where status = 'succeeded') as last_succeeded_run_at,
        max_by(sync_run_id, position) as last_sync_run_id,
        max_by(status, position) as last_run_status,
        {% for measure in ['planned', 'attempted', 'succeeded', 'failed', 'invalid', 'aborted'] %}
            sum({{ measure }}_row_count) as {{ measure }}_count,
        {% endfor %}
        {% for measure in ['attempted', 'failed'] %}
            sum({{ measure }}_row_count - invalid_row_count)
            filter (where {{ sync_logs.are_successes_known() }}) as {{ measure }}_of_known_count,
        {% endfor %}
        -- of whole numbers: with fractions, its last digit depends on the release (SPARK-57982)
        percentile(run_micros, 0.5) / 1000000 as median_run_seconds,
        max(data_until_at) as data_until_at
    from runs_timed
    group by organization_id, sync_id
),

records_summed as (
    select
        organization_id,
        sync_id,
        sum(record_count) as record_count,
        sum(case when is_open then record_count else 0 end) as open_record_count,
        sum(member_count) as member_count
    from records_counted
    group by organization_id, sync_id
),

failures_summed as (
    select
        organization_id,
        sync_id,
        min(case when ended_position is null then started_at end) as failing_since_at,
        -- of whole numbers, as above
        percentile(
            case
                when ended_by = 'succeeded'
                    then unix_micros(ended_at) - unix_micros(started_at)
            end,
            0.5,
            failure_count
        ) / 3600000000 as median_hours_to_repair
    from failures_counted
    group by organization_id, sync_id
)

select
    runs_summed.*,
    coalesce(runs_too_late_counted.too_late_run_count, 0) as too_late_run_count,
    try_divide(runs_summed.failed_of_known_count, runs_summed.attempted_of_known_count)
        as rejection_rate,
    case
        -- a user can add invalid records to the log of a vendor that is not known to log them
        when sources.logs_invalid_records or runs_summed.invalid_count > 0
            then try_divide(runs_summed.invalid_count, runs_summed.planned_count)
    end as invalid_rate,
    coalesce(records_summed.record_count, 0) as record_count,
    coalesce(records_summed.open_record_count, 0) as open_record_count,
    coalesce(records_summed.member_count, 0) as member_count,
    failures_summed.failing_since_at,
    failures_summed.median_hours_to_repair
from runs_summed
left join sources
    on runs_summed.organization_id = sources.organization_id
left join runs_too_late_counted
    on
        runs_summed.organization_id = runs_too_late_counted.organization_id
        and runs_summed.sync_id = runs_too_late_counted.sync_id
left join failures_summed
    on
        runs_summed.organization_id = failures_summed.organization_id
        and runs_summed.sync_id = failures_summed.sync_id
left join records_summed
    on
        runs_summed.organization_id = records_summed.organization_id
        and runs_summed.sync_id = records_summed.sync_id
