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
)

select
    runs.sync_id,
    runs.sync_run_id,
    {% for measure in measures %}
        runs.reported_{{ measure }}_count,
    {% endfor %}
    {% for measure in measures %}
        -- a load of a version before 21 has no other counts
        coalesce(runs.logged_{{ measure }}_count, runs.{{ measure }}_row_count)
            as logged_{{ measure }}_count,
    {% endfor %}
    runs.record_count as stored_row_count,
    runs_received.deleted_row_count,
    runs_received.duplicate_row_count,
    case
        when runs.is_pruned or runs.is_too_late then 'pruned'
        else runs.log_issue
    end as issue,
    runs.organization_id,
    sources.shown.*
from runs
left join runs_received
    on
        runs.organization_id = runs_received.organization_id
        and runs.sync_id = runs_received.sync_id
        and runs.sync_run_id = runs_received.sync_run_id
left join sources
    on runs.organization_id = sources.organization_id
where {{ sync_logs.is_kept('runs', 'keep_runs') }}
