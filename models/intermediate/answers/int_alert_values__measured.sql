{#
  The value of each rule for alerts in each settled run of a sync, and what its minimum is compared
  with.
#}
{{ config(materialized='lazy_view') }}
{% set history = 20 %}
{% set least_history = 10 %}
{% set old_from_days, old_until_days = 7, 30 %}
{% set least_runs_before_pattern = 5 %}
{% set usual_factor = 3 %}
{% set before = 'order by position asc rows between ' ~ history ~ ' preceding and 1 preceding' %}
with

runs as (
    select * from {{ sync_logs.of_load(ref('int_runs__published')) }}
    where position is not null
),

failures_counted as (
    select * from {{ sync_logs.of_load(ref('int_failures__counted')) }}
),

run_patterns as (
    select * from {{ ref('int_run_patterns__built') }}
),

patterns_counted as (
    select * from {{ sync_logs.of_load(ref('int_error_patterns__counted')) }}
),

profiled_runs as (
    select * from {{ ref('int_run_fields__known') }}
    where field_name is null
),

schema_changes as (
    select * from {{ sync_logs.of_load(ref('int_schema_changes__found')) }}
),

rules as (
    select * from {{ sync_logs.of_load(ref('int_alert_rules__scoped')) }}
),

runs_settled as (
    select * from runs
    where is_settled
),

-- the runs in which failures become old, and in which they are too old to be news
failures_due as (
    {% for days, change in [(old_from_days, 'failure_count'), (old_until_days, '-failure_count')] %}
        select
            organization_id,
            sync_id,
            started_at + interval '{{ days }}' day as due_at,
            started_position,
            ended_position,
            {{ change }} as open_change,
            cast(null as int) as position
        from failures_counted
        where started_at is not null

        union all

    {% endfor %}
    select
        organization_id,
        sync_id,
        settled_until_at as due_at,
        cast(null as int) as started_position,
        cast(null as int) as ended_position,
        cast(null as bigint) as open_change,
        position
    from runs_settled
),

-- the first settled run that is late enough
failures_placed as (
    select
        *,
        min(position) over (
            partition by organization_id, sync_id
            order by due_at desc, position is not null desc, position desc
            rows between unbounded preceding and current row
        ) as due_position
    from failures_due
),

-- a failure that ends before is old for no run: both of its changes are in the run that ends it
old_failure_steps as (
    select
        organization_id,
        sync_id,
        open_change,
        least(
            ended_position,
            case when due_position is not null then greatest(started_position, due_position) end
        ) as position
    from failures_placed
    where open_change is not null
),

old_failure_changes as (
    select
        organization_id,
        sync_id,
        position,
        sum(open_change) as open_change
    from old_failure_steps
    where position is not null
    group by organization_id, sync_id, position
),

-- a run need not be settled to change what is old
runs_aged as (
    select
        runs.*,
        sum(old_failure_changes.open_change) over (
            partition by runs.organization_id, runs.sync_id
            order by runs.position asc
            rows between unbounded preceding and current row
        ) as old_failure_count
    from runs
    left join old_failure_changes
        on
            runs.organization_id = old_failure_changes.organization_id
            and runs.sync_id = old_failure_changes.sync_id
            and runs.position = old_failure_changes.position
),

schema_news as (
    select
        organization_id,
        sync_id,
        position,
        count_if(is_news) as news_count
    from schema_changes
    group by organization_id, sync_id, position
),

runs_with_schemas as (
    select
        runs_aged.*,
        case when profiled_runs.load_id is not null then coalesce(schema_news.news_count, 0) end
            as schema_news_count
    from runs_aged
    left join profiled_runs
        on
            runs_aged.built_load_id = profiled_runs.load_id
            and runs_aged.organization_id = profiled_runs.organization_id
            and runs_aged.sync_id = profiled_runs.sync_id
            and runs_aged.sync_run_id = profiled_runs.sync_run_id
    left join schema_news
        on
            runs_aged.organization_id = schema_news.organization_id
            and runs_aged.sync_id = schema_news.sync_id
            and runs_aged.position = schema_news.position
),

runs_measured as (
    select
        *,
        attempted_row_count - invalid_row_count as sent_count,
        failed_row_count - invalid_row_count as rejected_count,
        {{ sync_logs.run_micros('runs_with_schemas') }} as run_micros
    from runs_with_schemas
    where is_settled
),

-- the runs before, and of those whose duration is known, if this one's is
runs_preceded as (
    select
        *,
        array_sort(collect_list(planned_row_count) over (
            partition by organization_id, sync_id {{ before }}
        )) as planned_before,
        array_sort(collect_list(run_micros) over (
            partition by organization_id, sync_id, run_micros is null {{ before }}
        )) as micros_before,
        array_sort(collect_list(planned_row_count) over (
            partition by organization_id, sync_id, run_micros is null {{ before }}
        )) as planned_of_timed
    from runs_measured
),

{% set median = sync_logs.median_of_sorted %}
runs_compared as (
    select
        *,
        {{ median('planned_before') }} as planned_median,
        {{ median('micros_before') }} as micros_median,
        -- a run with more records may take longer
        greatest(
            1, coalesce(planned_row_count / nullif({{ median('planned_of_timed') }}, 0), 1)
        ) as planned_factor
    from runs_preceded
),

runs_deviating as (
    select
        *,
        array_sort(transform(planned_before, planned -> abs(planned - planned_median)))
            as deviations
    from runs_compared
),

pattern_runs as (
    select /*+ broadcast(runs_settled) */
        run_patterns.organization_id,
        run_patterns.sync_id,
        run_patterns.failure_pattern,
        run_patterns.record_count,
        runs_settled.position,
        runs_settled.settled_run_count
    from run_patterns
    inner join runs_settled
        on
            run_patterns.load_id = runs_settled.built_load_id
            and run_patterns.organization_id = runs_settled.organization_id
            and run_patterns.sync_id = runs_settled.sync_id
            and run_patterns.sync_run_id = runs_settled.sync_run_id
),

-- patterns that open an alert; only the first run with a pattern can do so
first_pattern_runs as (
    select
        organization_id,
        sync_id,
        failure_pattern,
        min(struct(position, settled_run_count, record_count)) as first_run
    from pattern_runs
    group by organization_id, sync_id, failure_pattern
),

new_patterns as (
    select /*+ broadcast(rules) */
        first_pattern_runs.organization_id,
        first_pattern_runs.sync_id,
        first_pattern_runs.failure_pattern,
        first_pattern_runs.first_run.position as first_position
    from first_pattern_runs
    inner join rules
        on
            first_pattern_runs.organization_id = rules.organization_id
            and first_pattern_runs.sync_id = rules.sync_id
            and rules.rule = 'new_error_pattern'
    -- a pattern of purged records only is forgotten
    left semi join patterns_counted
        on
            first_pattern_runs.organization_id = patterns_counted.organization_id
            and first_pattern_runs.sync_id = patterns_counted.sync_id
            and first_pattern_runs.failure_pattern <=> patterns_counted.failure_pattern
    where
        first_pattern_runs.first_run.settled_run_count > {{ least_runs_before_pattern }}
        and first_pattern_runs.first_run.record_count
        >= least(rules.warning_threshold, rules.critical_threshold)
),

values_of_runs as (
    select
        organization_id,
        sync_id,
        position,
        sync_run_id,
        run_at,
        cast(null as string) as failure_pattern,
        explode(array(
            {% for rule, value, counted in [
                ('run_failed', "if(status = 'failed' and (reported_outcome = 'failed'"
                    ~ " or aborted_row_count > 0), 1, 0)", 'null'),
                ('rejection_rate', 'case when ' ~ sync_logs.are_successes_known()
                    ~ ' then rejected_count / nullif(sent_count, 0) end', 'rejected_count'),
                ('invalid_rate', 'invalid_row_count / nullif(planned_row_count, 0)',
                    'invalid_row_count'),
                ('mass_removal',
                    '(exit_count - late_exit_count) / nullif(members_before - late_exit_count, 0)',
                    'members_before - late_exit_count'),
                ('full_resync', 'repeated_addition_count / nullif(addition_count, 0)',
                    'addition_count'),
                ('incomplete_log', "if(log_issue in ('unreadable files', 'rows missing', "
                    ~ "'more than reported', 'other outcomes'), 1, 0)", 'null'),
                ('old_failures', 'case when logs_succeeded_records is not false'
                    ~ ' then coalesce(old_failure_count, 0) end', 'null'),
                ('payload_schema', 'schema_news_count', 'null'),
                ('record_count', 'case when size(planned_before) < ' ~ least_history
                    ~ ' or planned_median = 0 then null when planned_row_count * ' ~ usual_factor
                    ~ ' >= array_min(planned_before) and planned_row_count'
                    ~ ' <= array_max(planned_before) * ' ~ usual_factor
                    ~ ' then 0 else abs(planned_row_count - planned_median) / coalesce(nullif('
                    ~ median('deviations') ~ ', 0), 1) end',
                    'greatest(planned_row_count, planned_median)'),
                ('duration', 'case when size(micros_before) >= ' ~ least_history
                    ~ ' then run_micros / nullif(micros_median * planned_factor, 0) end',
                    'run_micros / 1000000'),
            ] %}
                struct(
                    '{{ rule }}' as rule,
                    cast({{ value }} as double) as value,
                    cast({{ counted }} as double) as counted
                ) {%- if not loop.last %},{% endif %}
            {% endfor %}
        )) as measured
    from runs_deviating
),

values_of_patterns as (
    select /*+ broadcast(new_patterns) */
        new_patterns.organization_id,
        new_patterns.sync_id,
        runs_settled.position,
        runs_settled.sync_run_id,
        runs_settled.run_at,
        new_patterns.failure_pattern,
        'new_error_pattern' as rule,
        case
            when runs_settled.attempted_row_count > 0
                then cast(coalesce(pattern_runs.record_count, 0) as double)
        end as value,
        cast(null as double) as counted
    from new_patterns
    inner join runs_settled
        on
            new_patterns.organization_id = runs_settled.organization_id
            and new_patterns.sync_id = runs_settled.sync_id
            and new_patterns.first_position <= runs_settled.position
    left join pattern_runs
        on
            new_patterns.organization_id = pattern_runs.organization_id
            and new_patterns.sync_id = pattern_runs.sync_id
            and new_patterns.failure_pattern <=> pattern_runs.failure_pattern
            and runs_settled.position = pattern_runs.position
)

select
    organization_id,
    sync_id,
    position,
    sync_run_id,
    run_at,
    failure_pattern,
    measured.rule,
    measured.value,
    measured.counted
from values_of_runs

union all

select
    organization_id,
    sync_id,
    position,
    sync_run_id,
    run_at,
    failure_pattern,
    rule,
    value,
    counted
from values_of_patterns
