{# What `sync_calendar` and `sync_activity_daily` show for each day of a sync. #}
{% set counts = ['run_count', 'succeeded_run_count', 'failed_run_count', 'unsettled_run_count',
    'planned_count', 'attempted_count', 'succeeded_count', 'failed_count', 'invalid_count',
    'aborted_count', 'added_count', 'changed_count', 'removed_count', 'entry_count',
    'exit_count'] %}
with

runs as (
    select * from {{ ref('int_runs__published') }}
    where load_id = '{{ sync_logs.answered_load_id() }}' and is_too_late is not true
),

syncs as (
    select
        organization_id,
        sync_id,
        min(order_at) as first_run_at,
        max(data_until_at) as data_until_at,
        max(source_name) as source_name,
        max(vendor) as vendor
    from runs
    group by organization_id, sync_id
),

-- days run as long as any sync of the organisation has data: a silent sync matters, an old lake
-- does not
syncs_spanned as (
    select
        *,
        max(data_until_at) over (partition by organization_id) as organization_data_until_at
    from syncs
),

days as (
    select
        organization_id,
        sync_id,
        data_until_at,
        source_name,
        vendor,
        explode(
            sequence(
                cast(first_run_at as date),
                cast(organization_data_until_at as date),
                interval 1 day
            )
        ) as calendar_date
    from syncs_spanned
    where first_run_at is not null
),

runs_counted as (
    select
        organization_id,
        sync_id,
        cast(order_at as date) as calendar_date,
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
    from runs
    group by organization_id, sync_id, cast(order_at as date)
)

select
    days.organization_id,
    days.sync_id,
    days.calendar_date,
    {% for column in counts %}
        coalesce(runs_counted.{{ column }}, 0) as {{ column }},
    {% endfor %}
    days.data_until_at,
    days.source_name,
    days.vendor
from days
left join runs_counted
    on
        days.organization_id = runs_counted.organization_id
        and days.sync_id = runs_counted.sync_id
        and days.calendar_date = runs_counted.calendar_date
