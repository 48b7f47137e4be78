{#
  Facts of runs: of the metadata.json in the lake, and of the run tables of other sources. Tolerant
  by design: the vendor documents the content of a metadata.json, not its keys.
#}
{% set paths_only = sync_logs.planned_paths_only('metadata') %}
{% set are_tables_read = sync_logs.table_sources() | length > 0 %}
{% set texts = ['workspace_id', 'source_id', 'source_type', 'source_object_id',
    'source_object_type', 'destination_id', 'destination_type', 'destination_object_id',
    'destination_object_type', 'record_payload_schema', 'sync_run_status', 'sync_run_error',
    'primary_key', 'model_id', 'model_name', 'split_group_field'] %}
{% set reported = ['source_id', 'source_object_id', 'destination_id', 'destination_object_id',
    'destination_type', 'sync_run_status', 'sync_run_error', 'primary_key', 'model_id',
    'model_name'] %}
with

lake_files as (
    select
        _metadata.file_path,
        cast(content as string) as content
    from {{ sync_logs.lake_table('files') }}
    where {{ paths_only }}
),

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

{% if are_tables_read %}
    source_runs as (
        select * from {{ ref('int_sources__runs') }}
    ),
{% endif %}

files_to_load as (
    select * from files_planned
    where action = 'load' and file_kind = 'metadata'
),

lake_files_to_load as (
    select * from files_to_load
    where file_path is not null
),

entries_parsed as (
    select
        lake_files_to_load.organization_id,
        lake_files_to_load.sync_id,
        lake_files_to_load.sync_run_id,
        from_json(lake_files.content, 'map<string,string>') as entries
    from lake_files_to_load
    left join lake_files
        on lake_files_to_load.file_path = lake_files.file_path
)

{% if are_tables_read %}
    ,
    source_runs_ranked as (
        select
            source_runs.*,
            row_number() over (
                partition by
                    source_runs.organization_id, source_runs.sync_id, source_runs.sync_run_id
                order by
                    source_runs.sync_run_finished_at desc nulls last,
                    source_runs.sync_run_started_at desc nulls last,
                    source_runs.sync_run_status asc nulls last,
                    source_runs.sync_run_error asc nulls last,
                    source_runs.model_name asc nulls last,
                    to_json(source_runs.reported_counts) asc
            ) as recency_rank
        from source_runs
        inner join files_to_load
            on
                source_runs.organization_id = files_to_load.organization_id
                and source_runs.sync_id = files_to_load.sync_id
                and source_runs.sync_run_id = files_to_load.sync_run_id
        where files_to_load.file_path is null
    )
{% endif %}

select
    organization_id,
    sync_id,
    sync_run_id,
    entries is not null as is_readable,
    {% for key in texts %}
        {{ sync_logs.metadata_value('entries', key) }} as {{ key }},
    {% endfor %}
    {% for key in ['sync_run_started_at', 'sync_run_finished_at'] %}
        {% set time = sync_logs.utc_timestamp(sync_logs.metadata_value('entries', key)) %}
        {{ sync_logs.readable_time(time) }} as {{ key }},
    {% endfor %}
    cast(null as timestamp) as rows_ended_at,
    from_json(cast(null as string), 'map<string,bigint>') as reported_counts
from entries_parsed

{% if are_tables_read %}
    union all

    select
        organization_id,
        sync_id,
        sync_run_id,
        true as is_readable,
        {% for key in texts %}
            {{ key if key in reported else 'cast(null as string)' }} as {{ key }},
        {% endfor %}
        {% for time in ['sync_run_started_at', 'sync_run_finished_at', 'rows_ended_at'] %}
            {{ sync_logs.readable_time(time) }} as {{ time }},
        {% endfor %}
        reported_counts
    from source_runs_ranked
    where recency_rank = 1
{% endif %}
