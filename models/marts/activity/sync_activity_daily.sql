with

calendar as (
    select * from {{ ref('sync_logs', 'sync_calendar') }}
),

runs_counted as (
    select * from {{ ref('int_runs__counted') }}
),

days_counted as (
    select
        organization_id,
        sync_id,
        cast(order_at as date) as activity_date,
        count(*) as run_count,
        count_if(status = 'succeeded') as succeeded_run_count,
        count_if(status = 'failed') as failed_run_count,
        count_if(status is null) as unsettled_run_count,
        {% for measure in ['planned', 'attempted', 'succeeded', 'failed', 'invalid', 'aborted'] %}
            sum({{ measure }}_row_count) as {{ measure }}_count,
        {% endfor %}
        sum(num_succeeded_add) as added_count,
        sum(num_succeeded_change) as changed_count,
        sum(num_succeeded_remove) as removed_count,
        sum(entry_count) as entry_count,
        sum(exit_count) as exit_count
    from runs_counted
    where is_too_late is not true
    group by organization_id, sync_id, cast(order_at as date)
)

select
    calendar.sync_id,
    calendar.calendar_date as activity_date,
    {% for column in ['run_count', 'succeeded_run_count', 'failed_run_count',
        'unsettled_run_count', 'planned_count', 'attempted_count', 'succeeded_count',
        'failed_count', 'invalid_count', 'aborted_count', 'added_count', 'changed_count',
        'removed_count', 'entry_count', 'exit_count'] %}
        coalesce(days_counted.{{ column }}, 0) as {{ column }},
    {% endfor %}
    calendar.organization_id,
    calendar.data_until_at
from calendar
left join days_counted
    on
        calendar.organization_id = days_counted.organization_id
        and calendar.sync_id = days_counted.sync_id
        and calendar.calendar_date = days_counted.activity_date
