{#
  The value of each rule for alerts in each settled run of a sync, and what its minimum is compared
  with.
#}
{{ config(materialized='lazy_view') }}
{% set history = 20 %}
{% set least_history = 10 %}
{% set old_after_days = 7 %}
{% set least_runs_before_pattern = 5 %}
{% set usual_factor = 3 %}
{% set of_sync = 'partition by organization_id, sync_id order by position asc' %}
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

rules as (
    select * from {{ ref('int_alert_rules__scoped') }}
),

{{ sync_logs.log_covered('runs') }},

runs_followed as (
    select
        *,
        coalesce(reported_finished_at, last_batch_ended_at, order_at) as run_at,
        unix_micros(coalesce(reported_finished_at, last_batch_ended_at))
        - unix_micros(coalesce(reported_started_at, first_batch_started_at)) as run_micros,
        coalesce(
            sum(entry_count - exit_count) over (
                {{ of_sync }} rows between unbounded preceding and 1 preceding
            ),
            0
        )
        + sum(late_entry_count) over (
            {{ of_sync }} rows between unbounded preceding and current row
        ) as members_before
    from runs_covered
),

runs_settled as (
    select
        *,
        row_number() over ({{ of_sync }}) as run_number,
        array_sort(collect_list(planned_row_count) over (
            {{ of_sync }} rows between {{ history }} preceding and 1 preceding
        )) as planned_before,
        max(run_at) over (
            {{ of_sync }} rows between unbounded preceding and current row
        ) as latest_run_at
    from runs_followed
    where is_settled
),

-- how far the planned rows are from the median
planned_compared as (
    select
        *,
        {{ sync_logs.median_of_sorted('planned_before') }} as planned_median
    from runs_settled
    where size(planned_before) >= {{ least_history }}
),

planned_deviations as (
    select
        *,
        array_sort(transform(planned_before, planned -> abs(planned - planned_median)))
            as deviations
    from planned_compared
),

-- of the runs whose duration is known
runs_timed as (
    select
        *,
        array_sort(collect_list(run_micros) over (
            {{ of_sync }} rows between {{ history }} preceding and 1 preceding
        )) as micros_before,
        array_sort(collect_list(planned_row_count) over (
            {{ of_sync }} rows between {{ history }} preceding and 1 preceding
        )) as planned_of_timed
    from runs_settled
    where run_micros is not null
),

-- a run with more records may take longer
durations_compared as (
    select
        *,
        {{ sync_logs.median_of_sorted('micros_before') }} * greatest(
            1,
            coalesce(
                planned_row_count
                / nullif({{ sync_logs.median_of_sorted('planned_of_timed') }}, 0),
                1
            )
        ) as usual_micros
    from runs_timed
),

-- the first settled run in which failures are old: they sort before the run that is late enough
failures_due as (
    select
        organization_id,
        sync_id,
        started_at + interval '{{ old_after_days }}' day as due_at,
        started_position,
        ended_position,
        failure_count,
        cast(null as int) as position
    from failures_counted
    where started_at is not null

    union all

    select
        organization_id,
        sync_id,
        latest_run_at as due_at,
        cast(null as int) as started_position,
        cast(null as int) as ended_position,
        cast(null as bigint) as failure_count,
        position
    from runs_settled
),

failures_placed as (
    select
        *,
        min(position) over (
            partition by organization_id, sync_id
            order by due_at asc, position is not null asc, position asc
            rows between current row and unbounded following
        ) as due_position
    from failures_due
),

failures_aged as (
    select
        *,
        greatest(started_position, due_position) as old_position
    from failures_placed
    where failure_count > 0 and due_position is not null
),

old_failure_steps as (
    select
        organization_id,
        sync_id,
        old_position as position,
        failure_count as step
    from failures_aged
    where old_position < coalesce(ended_position, old_position + 1)

    union all

    select
        organization_id,
        sync_id,
        ended_position as position,
        -failure_count as step
    from failures_aged
    where old_position < ended_position

    union all

    select
        organization_id,
        sync_id,
        position,
        0 as step
    from runs_settled
),

old_failures_followed as (
    select
        organization_id,
        sync_id,
        position,
        sum(step) over (
            partition by organization_id, sync_id
            order by position asc
            range between unbounded preceding and current row
        ) as old_failure_count
    from old_failure_steps
),

-- for each pattern, the runs from its first one on, if that one opens an alert
pattern_runs as (
    select /*+ broadcast(runs_settled) */
        run_patterns.organization_id,
        run_patterns.sync_id,
        run_patterns.failure_pattern,
        run_patterns.record_count,
        runs_settled.position,
        runs_settled.run_number,
        row_number() over (
            partition by
                run_patterns.organization_id, run_patterns.sync_id, run_patterns.failure_pattern
            order by runs_settled.position asc
        ) as pattern_run_number
    from run_patterns
    inner join runs_settled
        on
            run_patterns.load_id = runs_settled.built_load_id
            and run_patterns.organization_id = runs_settled.organization_id
            and run_patterns.sync_id = runs_settled.sync_id
            and run_patterns.sync_run_id = runs_settled.sync_run_id
),

new_patterns as (
    select
        pattern_runs.organization_id,
        pattern_runs.sync_id,
        pattern_runs.failure_pattern,
        pattern_runs.position as first_position
    from pattern_runs
    inner join rules
        on
            pattern_runs.organization_id = rules.organization_id
            and pattern_runs.sync_id = rules.sync_id
            and rules.rule = 'new_error_pattern'
    -- a pattern of purged records only is forgotten
    left semi join patterns_counted
        on
            pattern_runs.organization_id = patterns_counted.organization_id
            and pattern_runs.sync_id = patterns_counted.sync_id
            and pattern_runs.failure_pattern <=> patterns_counted.failure_pattern
    where
        pattern_runs.pattern_run_number = 1
        and pattern_runs.run_number > {{ least_runs_before_pattern }}
        and pattern_runs.record_count >= rules.minimum
        and pattern_runs.record_count
        >= least(rules.warning_threshold, rules.critical_threshold)
),

values_measured as (
    {% set sent = '(attempted_row_count - invalid_row_count)' %}
    {% set rejected = '(failed_row_count - invalid_row_count)' %}
    {% for rule, value, counted in [
        ('run_failed', "case when status = 'failed' then 1 else 0 end", 'null'),
        ('rejection_rate', rejected ~ ' / nullif(' ~ sent ~ ', 0)', rejected),
        ('invalid_rate', 'invalid_row_count / nullif(planned_row_count, 0)', 'invalid_row_count'),
        ('mass_removal', 'exit_count / nullif(members_before, 0)', 'members_before'),
        ('full_resync', 'repeated_addition_count / nullif(addition_count, 0)', 'addition_count'),
        ('incomplete_log', "case when log_issue in ('unreadable files', 'rows missing', "
            ~ "'more than reported', 'other outcomes') then 1 else 0 end", 'null')] %}
        select
            organization_id,
            sync_id,
            position,
            '{{ rule }}' as rule,
            cast(null as string) as failure_pattern,
            cast({{ value }} as double) as value,
            cast({{ counted }} as double) as counted
        from runs_settled

        union all
    {% endfor %}

    select
        organization_id,
        sync_id,
        position,
        'record_count' as rule,
        cast(null as string) as failure_pattern,
        case
            when planned_median = 0 then null
            when
                planned_row_count * {{ usual_factor }} >= array_min(planned_before)
                and planned_row_count <= array_max(planned_before) * {{ usual_factor }}
                then 0
            else
                abs(planned_row_count - planned_median)
                / coalesce(nullif({{ sync_logs.median_of_sorted('deviations') }}, 0), 1)
        end as value,
        greatest(planned_row_count, planned_median) as counted
    from planned_deviations

    union all

    select
        organization_id,
        sync_id,
        position,
        'duration' as rule,
        cast(null as string) as failure_pattern,
        case
            when size(micros_before) >= {{ least_history }}
                then run_micros / nullif(usual_micros, 0)
        end as value,
        run_micros / 1000000 as counted
    from durations_compared

    union all

    select distinct
        old_failures_followed.organization_id,
        old_failures_followed.sync_id,
        old_failures_followed.position,
        'old_failures' as rule,
        cast(null as string) as failure_pattern,
        cast(old_failures_followed.old_failure_count as double) as value,
        cast(null as double) as counted
    from old_failures_followed
    left semi join runs_settled
        on
            old_failures_followed.organization_id = runs_settled.organization_id
            and old_failures_followed.sync_id = runs_settled.sync_id
            and old_failures_followed.position = runs_settled.position

    union all

    select
        new_patterns.organization_id,
        new_patterns.sync_id,
        runs_settled.position,
        'new_error_pattern' as rule,
        new_patterns.failure_pattern,
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

select * from values_measured
