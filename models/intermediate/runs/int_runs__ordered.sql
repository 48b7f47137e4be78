{# Every run ever seen, in the order of its sync, with what its metadata and its records say. #}
{{ config(materialized='view') }}
with

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

runs_summarised as (
    select * from {{ ref('int_runs__summarised') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

metadata_landed as (
    select * from {{ ref('int_run_metadata__landed') }}
),

load_current as (
    select * from {{ source('sync_logs_state', 'load_current') }}
),

committed_runs as (
    select * from {{ source('sync_logs_state', 'runs') }}
    where load_id = (select load_current.load_id from load_current)
),

runs_found as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        max(case when file_kind = 'metadata' then landed_load_id end) as metadata_load_id,
        bool_or(file_kind = 'batch' and issue is not null) as has_unreadable_files
    from files_landed
    where file_kind in ('batch', 'metadata')
    group by organization_id, sync_id, sync_run_id
),

runs_described as (
    select
        runs_found.organization_id,
        runs_found.sync_id,
        runs_found.sync_run_id,
        runs_found.metadata_load_id is not null as has_metadata_file,
        runs_found.has_unreadable_files,
        case
            when runs_summarised.sync_run_id is not null then '{{ sync_logs.load_id() }}'
            else committed_runs.outcomes_load_id
        end as outcomes_load_id,
        {% for column in ['record_count', 'aborted_count', 'sent_count', 'failed_count'] %}
            coalesce(
                runs_summarised.{{ column }}, committed_runs.{{ column }}, 0
            ) as {{ column }},
        {% endfor %}
        {% for column in ['has_mirror_rows', 'has_delivered_mirror_rows'] %}
            coalesce(
                runs_summarised.{{ column }}, committed_runs.{{ column }}, false
            ) as {{ column }},
        {% endfor %}
        {% for column in [
            'first_batch_started_at', 'first_batch_ended_at', 'last_batch_ended_at'] %}
            case
                when runs_summarised.sync_run_id is not null then runs_summarised.{{ column }}
                else committed_runs.{{ column }}
            end as {{ column }},
        {% endfor %}
        {% for column in ['source_id', 'source_object_id', 'destination_id', 'destination_type',
            'destination_object_id', 'primary_key', 'model_id', 'model_name',
            'split_group_field'] %}
            metadata_landed.{{ column }},
        {% endfor %}
        metadata_landed.sync_run_status as reported_status,
        metadata_landed.sync_run_error as error,
        metadata_landed.sync_run_started_at as reported_started_at,
        metadata_landed.sync_run_finished_at as reported_finished_at,
        {{ sync_logs.run_outcome('metadata_landed.sync_run_status') }} as reported_outcome
    from runs_found
    left join runs_summarised
        on
            runs_found.organization_id = runs_summarised.organization_id
            and runs_found.sync_id = runs_summarised.sync_id
            and runs_found.sync_run_id = runs_summarised.sync_run_id
    left join committed_runs
        on
            runs_found.organization_id = committed_runs.organization_id
            and runs_found.sync_id = committed_runs.sync_id
            and runs_found.sync_run_id = committed_runs.sync_run_id
    left join metadata_landed
        on
            runs_found.organization_id = metadata_landed.organization_id
            and runs_found.sync_id = metadata_landed.sync_id
            and runs_found.sync_run_id = metadata_landed.sync_run_id
            and runs_found.metadata_load_id = metadata_landed.load_id
),

runs_keyed as (
    select
        *,
        coalesce(
            reported_started_at, first_batch_started_at, first_batch_ended_at
        ) as order_at,
        case
            when sync_run_id rlike '^[0-9]+$' then try_cast(sync_run_id as decimal(38, 0))
        end as run_number
    from runs_described
),

runs_positioned as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id
            order by order_at asc nulls last, run_number asc nulls last, sync_run_id asc
        ) as position,
        count(*) over (partition by organization_id, sync_id) as sync_run_count
    from runs_keyed
),

runs_settled as (
    select
        *,
        coalesce(
            reported_finished_at is not null
            or reported_outcome is not null
            or last_batch_ended_at
            < {{ sync_logs.as_of() }}
            - make_dt_interval(0, 0, {{ var('sync_logs_settle_minutes') }})
            or (not has_mirror_rows and position < sync_run_count),
            false
        ) as is_settled
    from runs_positioned
)

select
    *,
    is_settled
    and has_delivered_mirror_rows
    and aborted_count = 0
    and reported_outcome is distinct from 'failed'
    and not has_unreadable_files as is_replacing
from runs_settled
