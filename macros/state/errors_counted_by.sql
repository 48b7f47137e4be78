{#
  Named steps that end in `errors_summed`: what is counted of the failed changelog rows of a sync by their
  reason, with its first pattern (byte order), or by their pattern. They read the step `record_errors`.
  Arguments: key (string): failed_reason or failure_pattern.
#}
{% macro errors_counted_by(key) %}
records_failed as (
    select
        organization_id,
        sync_id,
        identifier,
        {{ key }},
        min(failure_pattern) as first_pattern,
        sum(attempt_count) as attempt_count,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at,
        min(first_seen_position) as first_seen_position,
        min_by(first_sync_run_id, first_seen_position) as first_sync_run_id,
        max(last_seen_position) as last_seen_position,
        max_by(last_sync_run_id, last_seen_position) as last_sync_run_id
    from record_errors
    group by organization_id, sync_id, identifier, {{ key }}
),

records_sampled as (
    select
        *,
        case
            when identifier is not null
                then row_number() over (
                    partition by organization_id, sync_id, {{ key }}
                    order by identifier is null asc, last_seen_position desc, identifier asc
                )
        end as sample_number
    from records_failed
),

errors_summed as (
    select
        organization_id,
        sync_id,
        {{ key }},
        min(first_pattern) as first_pattern,
        -- each row without a key is a record of its own
        sum(case when identifier is null then attempt_count else 1 end) as record_count,
        sum(attempt_count) as attempt_count,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at,
        min(first_seen_position) as first_seen_position,
        min_by(first_sync_run_id, first_seen_position) as first_sync_run_id,
        max_by(last_sync_run_id, last_seen_position) as last_sync_run_id,
        to_json(
            array_sort(
                collect_list(
                    case when sample_number <= 5 then struct(sample_number, identifier) end
                )
            ).identifier
        ) as sample_identifiers
    from records_sampled
    group by organization_id, sync_id, {{ key }}
)
{% endmacro %}
