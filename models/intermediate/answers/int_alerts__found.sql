{#
  Alerts of each sync, open and resolved: consecutive settled runs in which a rule applied, and gaps
  between runs that are too long. Levels: 0 for no alert, 1 warning, 2 critical.
#}
{% set last_gaps, last_days = 50, 15 %}
{% set least_gaps, least_days = 10, 8 %}
{% set of_alert = 'partition by organization_id, sync_id, rule, failure_pattern' %}
with

runs as (
    select * from {{ sync_logs.of_load(ref('int_runs__published')) }}
    where position is not null
),

alert_values as (
    select * from {{ ref('int_alert_values__measured') }}
),

rules as (
    select * from {{ sync_logs.of_load(ref('int_alert_rules__scoped')) }}
),

values_judged as (
    select /*+ broadcast(rules) */
        alert_values.organization_id,
        alert_values.sync_id,
        alert_values.rule,
        alert_values.failure_pattern,
        alert_values.position,
        struct(alert_values.run_at, alert_values.sync_run_id) as dated_run,
        alert_values.value,
        rules.warning_threshold,
        rules.critical_threshold,
        rules.is_muted,
        case
            when alert_values.value is null then null
            when
                alert_values.value >= least(rules.warning_threshold, rules.critical_threshold)
                and alert_values.counted < rules.minimum
                then null
            when alert_values.value >= rules.critical_threshold then 2
            when alert_values.value >= rules.warning_threshold then 1
            else 0
        end as own_level
    from alert_values
    inner join rules
        on
            alert_values.organization_id = rules.organization_id
            and alert_values.sync_id = rules.sync_id
            and alert_values.rule = rules.rule
),

-- a run without a value keeps the level of the run before
levels_carried as (
    select
        *,
        coalesce(
            last_value(own_level, true) over (
                {{ of_alert }} order by position asc
                rows between unbounded preceding and current row
            ),
            0
        ) as level
    from values_judged
),

levels_compared as (
    select
        *,
        lead(dated_run) over ({{ of_alert }} order by position asc) as next_run,
        level > 0
        and coalesce(lag(level) over ({{ of_alert }} order by position asc), 0) = 0 as is_opening
    from levels_carried
),

levels_numbered as (
    select
        *,
        count_if(is_opening) over (
            {{ of_alert }} order by position asc
            rows between unbounded preceding and current row
        ) as alert_number
    from levels_compared
),

levels_ranked as (
    select
        *,
        max(level) over (
            partition by organization_id, sync_id, rule, failure_pattern, alert_number
        ) as worst_level
    from levels_numbered
    -- a pattern is new once
    where level > 0 and (rule != 'new_error_pattern' or alert_number = 1)
),

alerts_of_runs as (
    select
        organization_id,
        sync_id,
        rule,
        failure_pattern,
        min(struct(position, dated_run)) as opened,
        min(struct(position, dated_run)) filter (where level = worst_level) as worsened,
        max_by(next_run, position) as resolved_run,
        max_by(level, position) as level,
        max(worst_level) as worst_level,
        max_by(value, position) filter (where own_level is not null) as value,
        max_by(dated_run.sync_run_id, position) filter (where own_level is not null)
            as value_sync_run_id,
        max(warning_threshold) as warning_threshold,
        max(critical_threshold) as critical_threshold,
        bool_or(is_muted) as is_muted
    from levels_ranked
    group by organization_id, sync_id, rule, failure_pattern, alert_number
),

alerts_dated as (
    select
        *,
        opened.dated_run.run_at as opened_at,
        opened.dated_run.sync_run_id as opened_sync_run_id,
        case when worsened.position > opened.position then worsened.dated_run.run_at end
            as worsened_at,
        case when worsened.position > opened.position then worsened.dated_run.sync_run_id end
            as worsened_sync_run_id,
        resolved_run.run_at as resolved_at,
        resolved_run.sync_run_id as resolved_sync_run_id
    from alerts_of_runs
),

runs_dated as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        position,
        order_at,
        max(
            greatest(
                {% for time in ['order_at', 'last_batch_ended_at', 'reported_finished_at'] %}
                    case when {{ sync_logs.is_likely_time(time) }} then {{ time }} end
                    {%- if not loop.last %},{% endif %}
                {% endfor %}
            )
        ) over (partition by organization_id) as organization_until_at
    from runs
),

-- from each run to the next one, or to the end of what is known
gaps as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        position,
        order_at as starts_at,
        lead(order_at) over of_sync as resolved_at,
        lead(sync_run_id) over of_sync as resolved_sync_run_id,
        coalesce(lead(order_at) over of_sync, organization_until_at) as ends_at
    from runs_dated
    where {{ sync_logs.is_likely_time('order_at') }}
    window of_sync as (partition by organization_id, sync_id order by position asc)
),

gaps_measured as (
    select
        *,
        unix_micros(ends_at) - unix_micros(starts_at) as gap_micros,
        -- Friday, Saturday, Sunday
        weekday(starts_at) >= 4 as is_of_weekend,
        min(starts_at) over (partition by organization_id, sync_id) as first_run_at
    from gaps
),

gaps_compared as (
    select
        *,
        count(*) over (
            partition by organization_id, sync_id
            order by position asc
            rows between unbounded preceding and 1 preceding
        ) as gap_count_before,
        nullif(
            greatest(
                max(gap_micros) over (
                    partition by organization_id, sync_id, is_of_weekend
                    order by position asc
                    rows between {{ last_gaps }} preceding and 1 preceding
                ),
                -- gaps that start at the same time have no length
                max(gap_micros) over (
                    partition by organization_id, sync_id, is_of_weekend
                    order by unix_micros(starts_at) asc
                    range between {{ last_days * 86400000000 }} preceding and 1 preceding
                )
            ),
            0
        ) as longest_micros
    from gaps_measured
),

gaps_judged as (
    select /*+ broadcast(rules) */
        gaps_compared.*,
        gaps_compared.gap_micros / gaps_compared.longest_micros as value,
        rules.warning_threshold,
        rules.critical_threshold,
        rules.is_muted,
        case
            when gaps_compared.gap_micros / gaps_compared.longest_micros >= rules.critical_threshold
                then 2
            when gaps_compared.gap_micros / gaps_compared.longest_micros >= rules.warning_threshold
                then 1
        end as level
    from gaps_compared
    inner join rules
        on
            gaps_compared.organization_id = rules.organization_id
            and gaps_compared.sync_id = rules.sync_id
            and rules.rule = 'late'
    where
        gaps_compared.gap_count_before >= {{ least_gaps }}
        and gaps_compared.starts_at
        >= gaps_compared.first_run_at + interval '{{ least_days }}' day
),

late_alerts as (
    select
        organization_id,
        sync_id,
        'late' as rule,
        cast(null as string) as failure_pattern,
        level,
        level as worst_level,
        {{ sync_logs.time_after(
            'starts_at', 'least(warning_threshold, critical_threshold) * longest_micros') }}
            as opened_at,
        sync_run_id as opened_sync_run_id,
        case
            when level = 2 and warning_threshold < critical_threshold
                then {{ sync_logs.time_after('starts_at', 'critical_threshold * longest_micros') }}
        end as worsened_at,
        case when level = 2 and warning_threshold < critical_threshold then sync_run_id end
            as worsened_sync_run_id,
        resolved_at,
        resolved_sync_run_id,
        value,
        sync_run_id as value_sync_run_id,
        warning_threshold,
        critical_threshold,
        is_muted
    from gaps_judged
    where level is not null
),

{% set shared = ['organization_id', 'sync_id', 'rule', 'failure_pattern', 'level', 'worst_level',
    'opened_at', 'opened_sync_run_id', 'worsened_at', 'worsened_sync_run_id', 'resolved_at',
    'resolved_sync_run_id', 'value', 'value_sync_run_id', 'warning_threshold', 'critical_threshold',
    'is_muted'] %}
alerts_together as (
    select
        {{ shared | join(',\n        ') }}
    from alerts_dated

    union all

    select
        {{ shared | join(',\n        ') }}
    from late_alerts
)

select
    organization_id,
    sync_id,
    rule,
    failure_pattern,
    element_at(array('warning', 'critical'), level) as severity,
    element_at(array('warning', 'critical'), worst_level) as worst_severity,
    opened_at,
    opened_sync_run_id,
    worsened_at,
    worsened_sync_run_id,
    resolved_at,
    resolved_sync_run_id,
    value,
    value_sync_run_id,
    case when level = 2 then critical_threshold else warning_threshold end as threshold,
    is_muted
from alerts_together
