{{ config(post_hook="{{ sync_logs.find_recovery_groups('fact') }}") }}
{% set paths_only = sync_logs.openable_paths_only('fact') %}
{% if paths_only == 'false' %}{% do sync_logs.nothing_to_load() %}{% endif %}
with

lake_facts as (
    select
        *,
        _metadata.file_path,
        _metadata.row_index
    from {{ sync_logs.lake_table('facts') }}
    where {{ paths_only }}
),

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

files_to_load as (
    select * from files_planned
    where action = 'load' and file_kind = 'fact'
)

select
    regexp_extract(
        files_to_load.file_name, '^(source_objects|destinations|destination_objects)', 1
    ) as fact_type,
    files_to_load.organization_id,
    files_to_load.file_name,
    lake_facts.row_index,
    lake_facts.id,
    lake_facts.type,
    lake_facts.name,
    lake_facts.model_id,
    lake_facts.business_object_id,
    lake_facts.filter_segment_id,
    lake_facts.cohort_id
from lake_facts
inner join files_to_load
    on lake_facts.file_path = files_to_load.file_path
