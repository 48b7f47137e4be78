{% set measures = ['planned', 'attempted', 'succeeded', 'failed'] %}
{% set op_types = ['add', 'change', 'remove'] %}
with

runs as (
    select * from {{ ref('int_runs__live') }}
),

run_counts as (
    select * from {{ ref('int_run_counts__built') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

syncs_left_out as (
    select * from sync_settings
    where not keep_runs
)

select /*+ broadcast(runs) */
    runs.sync_id,
    runs.sync_run_id,
    runs.primary_key,
    runs.destination_type as destination,
    runs.model_name,
    runs.model_id,
    case
        when not runs.is_settled then null
        when runs.reported_outcome is not null then runs.reported_outcome
        when runs.aborted_count > 0 then 'failed'
        when runs.sent_count > 0 and runs.failed_count = runs.sent_count then 'failed'
        else 'succeeded'
    end as status,
    runs.error,
    runs.reported_started_at as started_at,
    coalesce(runs.reported_finished_at, runs.last_batch_ended_at) as finished_at,
    {% for measure in measures %}
        {% for op_type in op_types %}
            coalesce(run_counts.num_{{ measure }}_{{ op_type }}, 0)
                as num_{{ measure }}_{{ op_type }},
        {% endfor %}
    {% endfor %}
    runs.organization_id,
    {% for op_type in op_types %}
        coalesce(run_counts.num_invalid_{{ op_type }}, 0) as num_invalid_{{ op_type }},
    {% endfor %}
    runs.reported_status,
    runs.order_at,
    runs.position as run_position,
    runs.record_count,
    runs.is_settled,
    runs.is_replacing,
    runs.is_pruned,
    runs.is_too_late,
    runs.has_metadata_file,
    runs.has_unreadable_files,
    runs.first_batch_started_at,
    runs.last_batch_ended_at
from runs
left join run_counts
    on
        runs.built_load_id = run_counts.load_id
        and runs.organization_id = run_counts.organization_id
        and runs.sync_id = run_counts.sync_id
        and runs.sync_run_id = run_counts.sync_run_id
left anti join syncs_left_out
    on
        runs.organization_id = syncs_left_out.organization_id
        and runs.sync_id = syncs_left_out.sync_id
