{# What `sync_activity_daily` shows for each day of a sync. #}
{% set counts = ['run_count', 'succeeded_run_count', 'failed_run_count', 'unsettled_run_count',
    'incomplete_run_count', 'planned_count', 'attempted_count', 'succeeded_count', 'failed_count', 'invalid_count',
    'aborted_count', 'added_count', 'changed_count', 'removed_count', 'entry_count',
    'exit_count'] %}
{# a silence of an organisation that is longer, in days, has no days #}
{% set longest_silence = 366 %}
{# days without a run are among the last ones of an organisation: ten years #}
{% set most_days = 3660 %}
with

runs as (
    select * from {{ sync_logs.of_load(ref('int_runs__published')) }}
    where is_too_late is not true
),

failures_counted as (
    select * from {{ sync_logs.of_load(ref('int_failures__counted')) }}
),

syncs as (
    select
        organization_id,
        sync_id,
        collect_set(cast(order_at as date)) as run_dates,
        max(data_until_at) as data_until_at
    from runs
    group by organization_id, sync_id
),

organizations as (
    select
        organization_id,
        array_sort(array_distinct(flatten(collect_list(
            array_append(run_dates, cast(data_until_at as date))
        )))) as data_dates
    from syncs
    where data_until_at is not null
    group by organization_id
),

-- days run as long as any sync of the organisation has data: a silent sync matters, an old lake
-- does not. One wrong time far from all others must not add all days in between.
organizations_spanned as (
    select
        organization_id,
        slice(
            reverse(flatten(transform(data_dates, (data_date, place) -> sequence(
                data_date,
                case
                    when datediff(get(data_dates, place + 1), data_date) <= {{ longest_silence }}
                        then date_sub(get(data_dates, place + 1), 1)
                    else data_date
                end
            )))),
            1,
            {{ most_days }}
        ) as calendar_dates
    from organizations
),

days as (
    select /*+ broadcast(organizations_spanned) */
        syncs.organization_id,
        syncs.sync_id,
        syncs.data_until_at,
        explode(array_union(
            syncs.run_dates,
            filter(
                organizations_spanned.calendar_dates,
                calendar_date -> calendar_date >= array_min(syncs.run_dates)
            )
        )) as calendar_date
    from syncs
    inner join organizations_spanned
        on syncs.organization_id = organizations_spanned.organization_id
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
        count_if(not is_log_complete) as incomplete_run_count,
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
),

failures_changed as (
    select
        organization_id,
        sync_id,
        started_position as position,
        failure_count as open_change,
        0 as repaired_count
    from failures_counted

    union all

    select
        organization_id,
        sync_id,
        ended_position as position,
        -failure_count as open_change,
        if(ended_by = 'succeeded', failure_count, 0) as repaired_count
    from failures_counted
    where ended_position is not null
),

-- runs without a time come after all others, so what they begin or end is on no day
failures_by_day as (
    select /*+ broadcast(runs) */
        runs.organization_id,
        runs.sync_id,
        cast(runs.order_at as date) as calendar_date,
        sum(failures_changed.open_change) as open_change,
        sum(failures_changed.repaired_count) as repaired_count
    from failures_changed
    inner join runs
        on
            failures_changed.organization_id = runs.organization_id
            and failures_changed.sync_id = runs.sync_id
            and failures_changed.position = runs.position
    group by runs.organization_id, runs.sync_id, cast(runs.order_at as date)
)

select
    days.organization_id,
    days.sync_id,
    days.calendar_date,
    {% for column in counts %}
        coalesce(runs_counted.{{ column }}, 0) as {{ column }},
    {% endfor %}
    sum(coalesce(failures_by_day.open_change, 0)) over (
        partition by days.organization_id, days.sync_id
        order by days.calendar_date
    ) as open_failure_count,
    coalesce(failures_by_day.repaired_count, 0) as repaired_failure_count,
    days.data_until_at
from days
left join runs_counted
    on
        days.organization_id = runs_counted.organization_id
        and days.sync_id = runs_counted.sync_id
        and days.calendar_date = runs_counted.calendar_date
left join failures_by_day
    on
        days.organization_id = failures_by_day.organization_id
        and days.sync_id = failures_by_day.sync_id
        and days.calendar_date = failures_by_day.calendar_date
