{% set measures = ['planned', 'attempted', 'succeeded', 'failed'] %}
with

runs as (
    select * from {{ ref('int_runs__live') }}
),

files_landed as (
    select * from {{ sync_logs.of_committed(ref('int_files__landed')) }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

-- runs in tables of vendors, as they were read last; those of pruned runs are not read any more
runs_received as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        -- a run of which only facts arrived has no rows
        coalesce(
            sum(
                case
                    when file_kind = 'metadata' then 0
                    when is_in_lake then deleted_row_count
                    else record_count
                end
            ),
            0
        ) as deleted_row_count,
        coalesce(sum(duplicate_row_count), 0) as duplicate_row_count
    from files_landed
    where file_kind in ('batch', 'metadata') and file_path is null and not is_pruned
    group by organization_id, sync_id, sync_run_id
),

runs_counted as (
    select
        *,
        {% for measure in measures %}
            {{ measure }}_row_count as logged_{{ measure }}_count,
            -- null if one of them is not reported
            {% set reported = [] %}
            {% for op_type in ['add', 'change', 'remove'] %}
                {% do reported.append("reported_counts['num_" ~ measure ~ '_' ~ op_type ~ "']") %}
            {% endfor %}
            {{ reported | join(' + ') }} as reported_{{ measure }}_count,
        {% endfor %}
        min(case when record_count > 0 then position end)
            over (partition by organization_id, sync_id) as first_logged_position
    from runs
),

runs_compared as (
    select
        *,
        {% for measure in measures %}
            coalesce(reported_{{ measure }}_count = logged_{{ measure }}_count, true)
            {% if not loop.last %}and{% endif %}
        {% endfor %} as is_as_reported,
        coalesce(
            {% for measure in measures %}
                reported_{{ measure }}_count - logged_{{ measure }}_count
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        ) as missing_count
    from runs_counted
),

runs_explained as (
    select
        *,
        case
            when is_pruned or is_too_late then 'pruned'
            when has_unreadable_files then 'unreadable files'
            when is_as_reported then null
            when not is_settled then 'not settled'
            when missing_count > 0 and reported_outcome = 'failed' then 'aborted'
            when
                missing_count > 0
                and record_count = 0
                and coalesce(first_logged_position < position, true)
                then 'switched off'
            when missing_count > 0 and first_logged_position >= position then 'expired'
            when missing_count > 0 then 'rows missing'
            when missing_count < 0 then 'more than reported'
            else 'other outcomes'
        end as issue
    from runs_compared
)

select
    runs_explained.sync_id,
    runs_explained.sync_run_id,
    {% for measure in measures %}
        runs_explained.reported_{{ measure }}_count,
    {% endfor %}
    {% for measure in measures %}
        runs_explained.logged_{{ measure }}_count,
    {% endfor %}
    runs_explained.record_count as stored_row_count,
    runs_received.deleted_row_count,
    runs_received.duplicate_row_count,
    runs_explained.issue,
    runs_explained.organization_id,
    sources.shown.*
from runs_explained
left join runs_received
    on
        runs_explained.organization_id = runs_received.organization_id
        and runs_explained.sync_id = runs_received.sync_id
        and runs_explained.sync_run_id = runs_received.sync_run_id
left join sources
    on runs_explained.organization_id = sources.organization_id
where {{ sync_logs.is_kept('runs_explained', 'keep_runs') }}
