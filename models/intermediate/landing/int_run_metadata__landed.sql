{# Tolerant by design: the vendor documents the content of a metadata.json, not its keys. #}
{% set paths_only = sync_logs.planned_paths_only('metadata') %}
{% if paths_only == 'false' %}{% do sync_logs.nothing_to_load() %}{% endif %}
with

lake_files as (
    select
        _metadata.file_path,
        cast(content as string) as content
    from {{ sync_logs.lake_table('files') }}
    where {{ paths_only }}
),

files_planned as (
    select * from {{ ref('int_files__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

files_to_load as (
    select * from files_planned
    where action = 'load' and file_kind = 'metadata'
),

entries_parsed as (
    select
        files_to_load.organization_id,
        files_to_load.sync_id,
        files_to_load.sync_run_id,
        from_json(lake_files.content, 'map<string,string>') as entries
    from files_to_load
    left join lake_files
        on files_to_load.file_path = lake_files.file_path
)

select
    organization_id,
    sync_id,
    sync_run_id,
    entries is not null as is_readable,
    {% for key in ['workspace_id', 'source_id', 'source_type', 'source_object_id',
        'source_object_type', 'destination_id', 'destination_type', 'destination_object_id',
        'destination_object_type', 'record_payload_schema', 'sync_run_status', 'sync_run_error',
        'primary_key', 'model_id', 'model_name', 'split_group_field'] %}
        {{ sync_logs.metadata_value('entries', key) }} as {{ key }},
    {% endfor %}
    {% for key in ['sync_run_started_at', 'sync_run_finished_at'] %}
        {{ sync_logs.utc_timestamp(sync_logs.metadata_value('entries', key)) }} as {{ key }}
        {%- if not loop.last %}, {% endif %}
    {% endfor %}
from entries_parsed
