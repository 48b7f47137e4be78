with

periods as (
    select
        'earlier' as period,
        cast(:before_from_date as date) as from_date,
        cast(:before_until_date as date) as until_date
    union all
    select
        'later' as period,
        cast(:from_date as date) as from_date,
        cast(:until_date as date) as until_date
),

days as (
    select * from sync_activity_daily
    where organization_id = :organization_id and sync_id = :sync_id
),

incomplete_runs as (
    select
        sync_run_id,
        run_position,
        -- the day on which `sync_activity_daily` counts the run
        cast(order_at as date) as run_date
    from sync_runs
    where
        organization_id = :organization_id
        and sync_id = :sync_id
        and not is_log_complete
        and not is_too_late
),

days_counted as (
    select
        periods.period,
        count(*) as day_count,
        sum(days.run_count) as run_count,
        sum(days.failed_run_count) as failed_run_count,
        sum(days.unsettled_run_count) as unsettled_run_count,
        sum(days.incomplete_run_count) as incomplete_run_count,
        sum(days.planned_count) as planned_count,
        sum(days.attempted_count) as attempted_count,
        sum(days.succeeded_count) as succeeded_count,
        sum(days.failed_count) as failed_count,
        sum(days.invalid_count) as invalid_count,
        sum(days.aborted_count) as aborted_count,
        sum(days.entry_count) as entry_count,
        sum(days.exit_count) as exit_count,
        sum(days.repaired_failure_count) as repaired_failure_count,
        max_by(days.open_failure_count, days.activity_date) as open_failure_count
    from periods
    inner join days
        on days.activity_date between periods.from_date and periods.until_date
    group by periods.period
),

runs_listed as (
    select
        periods.period,
        -- the last ones first
        slice(
            sort_array(
                collect_list(struct(incomplete_runs.run_position, incomplete_runs.sync_run_id)),
                false
            ),
            1,
            20
        ) as last_runs
    from periods
    inner join incomplete_runs
        on incomplete_runs.run_date between periods.from_date and periods.until_date
    group by periods.period
)

select
    periods.period,
    periods.from_date,
    periods.until_date,
    coalesce(days_counted.day_count, 0) as day_count,
    -- null without a day: that is not the same as a day on which nothing happened
    days_counted.run_count,
    days_counted.failed_run_count,
    days_counted.unsettled_run_count,
    days_counted.incomplete_run_count,
    coalesce(to_json(transform(runs_listed.last_runs, run -> run.sync_run_id)), '[]')
        as incomplete_sync_run_ids,
    days_counted.planned_count,
    days_counted.attempted_count,
    days_counted.succeeded_count,
    days_counted.succeeded_count / nullif(days_counted.attempted_count, 0) as succeeded_share,
    days_counted.failed_count,
    days_counted.failed_count / nullif(days_counted.attempted_count, 0) as failed_share,
    days_counted.invalid_count,
    days_counted.invalid_count / nullif(days_counted.attempted_count, 0) as invalid_share,
    days_counted.aborted_count,
    days_counted.entry_count,
    days_counted.exit_count,
    days_counted.repaired_failure_count,
    days_counted.open_failure_count
from periods
left join days_counted
    on periods.period = days_counted.period
left join runs_listed
    on periods.period = runs_listed.period
order by periods.period asc
