{#
  Every run ever seen, in the order of its sync, with what its metadata and its records show. A
  pruned run keeps the values that it had when it was pruned. A run that is ordered before a pruned
  run is too late and gets no position.
#}
{{ config(materialized='lazy_view') }}
with

files_landed as (
    select * from {{ sync_logs.of_load(ref('int_files__landed')) }}
),

runs_summarised as (
    select * from {{ sync_logs.of_load(ref('int_runs__summarised')) }}
),

metadata_landed as (
    select * from {{ ref('int_run_metadata__landed') }}
),

committed_runs as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('runs')) }}
),

pruned_runs as (
    select * from committed_runs
    where is_pruned
),

runs_found as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        max(case when file_kind = 'metadata' then landed_load_id end) as metadata_load_id,
        bool_or(file_kind = 'batch' and issue is not null) as has_unreadable_files
    from files_landed
    where file_kind in ('batch', 'metadata') and is_pruned is not true
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
            when runs_summarised.sync_run_id is not null then {{ sync_logs.this_load() }}
            else committed_runs.summarised_load_id
        end as summarised_load_id,
        coalesce(runs_summarised.record_count, committed_runs.record_count, 0) as record_count,
        coalesce(runs_summarised.aborted_count, committed_runs.aborted_count, 0) as aborted_count,
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
        metadata_landed.rows_ended_at,
        metadata_landed.reported_counts,
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

{% set columns = ['organization_id', 'sync_id', 'sync_run_id', 'has_metadata_file',
    'has_unreadable_files', 'summarised_load_id', 'record_count', 'aborted_count',
    'has_mirror_rows', 'has_delivered_mirror_rows', 'first_batch_started_at',
    'first_batch_ended_at', 'last_batch_ended_at', 'source_id', 'source_object_id',
    'destination_id', 'destination_type', 'destination_object_id', 'primary_key', 'model_id',
    'model_name', 'split_group_field', 'reported_status', 'error', 'reported_started_at',
    'reported_finished_at', 'reported_outcome', 'rows_ended_at', 'reported_counts'] | join(', ') %}
runs_known as (
    select
        {{ columns }},
        coalesce(
            reported_started_at, first_batch_started_at, first_batch_ended_at
        ) as order_at,
        false as is_pruned,
        cast(null as boolean) as was_settled,
        cast(null as boolean) as was_replacing
    from runs_described

    union all

    select
        {{ columns }},
        order_at,
        true as is_pruned,
        is_settled as was_settled,
        is_replacing as was_replacing
    from pruned_runs
),

runs_keyed as (
    select
        *,
        case
            when sync_run_id rlike '^[0-9]+$'
                then try_cast(sync_run_id as decimal(38, 0))
        end as run_number
    from runs_known
),

-- the sort key of a run; false sorts before true, so nulls sort last
runs_ranked as (
    select
        *,
        struct(order_at is null, order_at, run_number is null, run_number, sync_run_id)
            as run_order
    from runs_keyed
),

runs_judged as (
    select
        *,
        coalesce(
            not is_pruned
            and run_order < max(case when is_pruned then run_order end)
                over (partition by organization_id, sync_id),
            false
        ) as is_too_late
    from runs_ranked
),

runs_positioned as (
    select
        *,
        case
            when not is_too_late
                then row_number() over (
                    partition by organization_id, sync_id, is_too_late
                    order by run_order asc
                )
        end as position,
        count(*) over (partition by organization_id, sync_id, is_too_late) as sync_run_count
    from runs_judged
),

runs_settled as (
    select
        *,
        coalesce(was_settled, {{ sync_logs.is_settled(sync_logs.this_as_of()) }}) as is_settled
    from runs_positioned
)

select
    {{ columns }},
    order_at,
    position,
    sync_run_count,
    is_pruned,
    is_too_late,
    is_settled,
    coalesce(
        was_replacing,
        not is_too_late
        and is_settled
        and has_delivered_mirror_rows
        and aborted_count = 0
        and reported_outcome is distinct from 'failed'
        and not has_unreadable_files
    ) as is_replacing
from runs_settled
