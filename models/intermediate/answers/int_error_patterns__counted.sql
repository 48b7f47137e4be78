{# What `error_patterns` shows for each failure pattern of a sync. #}
with

record_errors as (
    select * from {{ ref('int_record_errors__latest') }}
),

reasons_categorised as (
    select * from {{ sync_logs.of_load(ref('int_reasons__sorted')) }}
),

rules as (
    select * from {{ sync_logs.of_load(ref('int_error_rules__used')) }}
    where fault is null
),

record_states_counted as (
    select * from {{ sync_logs.of_load(ref('int_record_states__counted')) }}
    where is_open
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

run_patterns as (
    select * from {{ ref('int_run_patterns__built') }}
),

failures as (
    select * from {{ ref('int_failures__built') }}
),

-- of a category, the hint of its first rule
hints as (
    select
        category,
        min_by(hint, struct(priority, pattern)) as hint
    from rules
    group by category
),

bystanders_counted as (
    select /*+ broadcast(runs_planned) */
        failures.organization_id,
        failures.sync_id,
        failures.failure_pattern,
        count(distinct failures.identifier) as bystander_count
    from failures
    inner join runs_planned
        on
            failures.load_id = runs_planned.built_load_id
            and failures.organization_id = runs_planned.organization_id
            and failures.sync_id = runs_planned.sync_id
            and failures.ended_sync_run_id = runs_planned.sync_run_id
    where failures.is_bystander
    group by failures.organization_id, failures.sync_id, failures.failure_pattern
),

records_open as (
    select
        organization_id,
        sync_id,
        failure_pattern,
        sum(record_count) as record_count
    from record_states_counted
    group by organization_id, sync_id, failure_pattern
),

runs_counted as (
    select /*+ broadcast(runs_planned) */
        run_patterns.organization_id,
        run_patterns.sync_id,
        run_patterns.failure_pattern,
        count(*) as run_count
    from run_patterns
    inner join runs_planned
        on
            run_patterns.load_id = runs_planned.built_load_id
            and run_patterns.organization_id = runs_planned.organization_id
            and run_patterns.sync_id = runs_planned.sync_id
            and run_patterns.sync_run_id = runs_planned.sync_run_id
    group by run_patterns.organization_id, run_patterns.sync_id, run_patterns.failure_pattern
),

last_settled_runs as (
    select
        organization_id,
        sync_id,
        max(position) as position
    from runs_planned
    where is_settled
    group by organization_id, sync_id
),

pattern_reasons as (
    select
        organization_id,
        sync_id,
        failure_pattern,
        failed_reason,
        max(last_seen_position) as last_seen_position
    from record_errors
    group by organization_id, sync_id, failure_pattern, failed_reason
),

patterns_sampled as (
    select
        organization_id,
        sync_id,
        failure_pattern,
        count(*) as failure_reason_count,
        min_by(
            failed_reason, struct(-last_seen_position, failed_reason is null, failed_reason)
        ) as sample_failure_reason
    from pattern_reasons
    group by organization_id, sync_id, failure_pattern
),

{{ sync_logs.errors_counted_by('failure_pattern') }}

select
    errors_summed.organization_id,
    errors_summed.sync_id,
    errors_summed.failure_pattern,
    errors_summed.record_count,
    coalesce(records_open.record_count, 0) as open_record_count,
    errors_summed.attempt_count,
    coalesce(runs_counted.run_count, 0) as run_count,
    coalesce(bystanders_counted.bystander_count, 0) as bystander_count,
    patterns_sampled.failure_reason_count,
    errors_summed.first_seen_at,
    errors_summed.last_seen_at,
    errors_summed.first_sync_run_id,
    errors_summed.last_sync_run_id,
    errors_summed.first_seen_position <=> last_settled_runs.position as is_new,
    patterns_sampled.sample_failure_reason,
    errors_summed.sample_identifiers,
    row_number() over (
        partition by errors_summed.organization_id, errors_summed.sync_id
        order by
            errors_summed.record_count desc,
            errors_summed.attempt_count desc,
            errors_summed.failure_pattern asc nulls last
    ) as rank_in_sync,
    reasons_categorised.category,
    reasons_categorised.is_transient,
    hints.hint
from errors_summed
left join patterns_sampled
    on
        errors_summed.organization_id = patterns_sampled.organization_id
        and errors_summed.sync_id = patterns_sampled.sync_id
        and errors_summed.failure_pattern <=> patterns_sampled.failure_pattern
left join records_open
    on
        errors_summed.organization_id = records_open.organization_id
        and errors_summed.sync_id = records_open.sync_id
        and errors_summed.failure_pattern <=> records_open.failure_pattern
left join runs_counted
    on
        errors_summed.organization_id = runs_counted.organization_id
        and errors_summed.sync_id = runs_counted.sync_id
        and errors_summed.failure_pattern <=> runs_counted.failure_pattern
left join bystanders_counted
    on
        errors_summed.organization_id = bystanders_counted.organization_id
        and errors_summed.sync_id = bystanders_counted.sync_id
        and errors_summed.failure_pattern <=> bystanders_counted.failure_pattern
left join last_settled_runs
    on
        errors_summed.organization_id = last_settled_runs.organization_id
        and errors_summed.sync_id = last_settled_runs.sync_id
left join reasons_categorised
    on
        errors_summed.organization_id = reasons_categorised.organization_id
        and patterns_sampled.sample_failure_reason <=> reasons_categorised.failed_reason
left join hints
    on reasons_categorised.category = hints.category
