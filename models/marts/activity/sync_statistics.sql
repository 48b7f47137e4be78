with

runs as (
    select * from {{ ref('int_runs__counted') }}
),

record_states as (
    select * from {{ ref('int_record_states__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

syncs_left_out as (
    select * from sync_settings
    where not keep_runs
),

runs_timed as (
    select
        *,
        cast(
            unix_micros(coalesce(reported_finished_at, last_batch_ended_at))
            - unix_micros(coalesce(reported_started_at, first_batch_started_at)) as double
        ) / 1000000 as run_seconds
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
        max_by(destination_type, position) filter (where destination_type is not null)
            as destination,
        count(*) as run_count,
        count_if(status = 'succeeded') as succeeded_run_count,
        count_if(status = 'failed') as failed_run_count,
        count_if(status is null) as unsettled_run_count,
        count_if(order_at is null) as undated_run_count,
        min(order_at) as first_run_at,
        max(order_at) as last_run_at,
        max_by(order_at, position) filter (where status = 'succeeded') as last_succeeded_run_at,
        max_by(sync_run_id, position) as last_sync_run_id,
        max_by(status, position) as last_run_status,
        {% for measure in ['planned', 'attempted', 'succeeded', 'failed', 'invalid', 'aborted'] %}
            sum({{ measure }}_row_count) as {{ measure }}_count,
        {% endfor %}
        percentile(run_seconds, 0.5) as median_run_seconds,
        max(data_until_at) as data_until_at
    from runs_timed
    group by organization_id, sync_id
),

records_counted as (
    select
        organization_id,
        sync_id,
        count(*) as record_count,
        count_if(is_in_snapshot and status = 'failed') as open_record_count,
        count_if(is_delivered) as member_count
    from record_states
    group by organization_id, sync_id
)

select
    runs_summed.sync_id,
    runs_summed.model_name,
    runs_summed.destination,
    runs_summed.run_count,
    runs_summed.succeeded_run_count,
    runs_summed.failed_run_count,
    runs_summed.unsettled_run_count,
    runs_summed.undated_run_count,
    coalesce(runs_too_late_counted.too_late_run_count, 0) as too_late_run_count,
    runs_summed.first_run_at,
    runs_summed.last_run_at,
    runs_summed.last_succeeded_run_at,
    runs_summed.last_sync_run_id,
    runs_summed.last_run_status,
    runs_summed.planned_count,
    runs_summed.attempted_count,
    runs_summed.succeeded_count,
    runs_summed.failed_count,
    runs_summed.invalid_count,
    runs_summed.aborted_count,
    try_divide(
        runs_summed.failed_count - runs_summed.invalid_count,
        runs_summed.attempted_count - runs_summed.invalid_count
    ) as rejection_rate,
    try_divide(runs_summed.invalid_count, runs_summed.planned_count) as invalid_rate,
    runs_summed.median_run_seconds,
    coalesce(records_counted.record_count, 0) as record_count,
    coalesce(records_counted.open_record_count, 0) as open_record_count,
    coalesce(records_counted.member_count, 0) as member_count,
    runs_summed.organization_id,
    runs_summed.data_until_at
from runs_summed
left join runs_too_late_counted
    on
        runs_summed.organization_id = runs_too_late_counted.organization_id
        and runs_summed.sync_id = runs_too_late_counted.sync_id
left join records_counted
    on
        runs_summed.organization_id = records_counted.organization_id
        and runs_summed.sync_id = records_counted.sync_id
left anti join syncs_left_out
    on
        runs_summed.organization_id = syncs_left_out.organization_id
        and runs_summed.sync_id = syncs_left_out.sync_id
