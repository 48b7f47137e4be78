{% set op_types = ['add', 'change', 'remove'] %}
with

runs as (
    select * from {{ ref('int_runs__live') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
),

sync_settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
)

select
    runs.sync_id,
    runs.sync_run_id,
    runs.primary_key,
    runs.known_destination_type as destination,
    runs.known_model_name as model_name,
    runs.model_id,
    runs.status,
    runs.error,
    runs.reported_started_at as started_at,
    coalesce(runs.reported_finished_at, runs.last_batch_ended_at) as finished_at,
    {% for measure in ['planned', 'attempted', 'succeeded', 'failed'] %}
        {% for op_type in op_types %}
            -- as the vendor reports it, or else as it is logged
            {% set name = 'num_' ~ measure ~ '_' ~ op_type %}
            coalesce(
                case when not runs.is_too_late then runs.reported_counts['{{ name }}'] end,
                runs.{{ name }}
            ) as {{ name }},
        {% endfor %}
    {% endfor %}
    runs.organization_id,
    {% for op_type in op_types %}
        runs.num_invalid_{{ op_type }},
    {% endfor %}
    runs.reported_status,
    runs.order_at,
    runs.position as run_position,
    runs.record_count,
    runs.is_settled,
    runs.is_log_complete,
    runs.is_replacing,
    runs.is_pruned,
    runs.is_too_late,
    runs.has_metadata_file,
    runs.has_unreadable_files,
    runs.first_batch_started_at,
    runs.last_batch_ended_at,
    sources.shown.*
from runs
left join sources
    on runs.organization_id = sources.organization_id
where {{ sync_logs.is_kept('runs', 'keep_runs') }}
