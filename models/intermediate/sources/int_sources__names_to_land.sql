{#
  Names of the tables of sources, as this build lands them. A name that a vendor's table no longer
  has stays, because the runs that it belongs to stay. A name that the user no longer gives does
  not.
#}
{{ config(enabled=sync_logs.table_sources() | length > 0) }}
{% set columns = ['organization_id', 'file_name', 'fact_type', 'id', 'type', 'name', 'model_id',
    'business_object_id', 'filter_segment_id', 'cohort_id'] %}
with

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

committed_files as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('files')) }}
),

facts_landed as (
    select * from {{ sync_logs.committed('facts') }}
),

source_names as (
    select * from {{ ref('int_sources__names') }}
),

tables_to_read as (
    select
        files_planned.organization_id,
        files_planned.file_name,
        committed_files.landed_load_id as stored_load_id
    from files_planned
    left join committed_files
        on files_planned.relative_path = committed_files.relative_path
    where
        files_planned.action = 'load'
        and files_planned.file_kind = 'fact'
        and files_planned.file_path is null
),

names_together as (
    select
        {% for column in columns %}
            facts_landed.{{ column }},
        {% endfor %}
        true as is_stored
    from facts_landed
    inner join tables_to_read
        on
            facts_landed.load_id = tables_to_read.stored_load_id
            and facts_landed.organization_id = tables_to_read.organization_id
            and facts_landed.file_name = tables_to_read.file_name
    where facts_landed.file_name != 'names'

    union all

    select
        {% for column in columns %}
            source_names.{{ column }},
        {% endfor %}
        false as is_stored
    from source_names
    inner join tables_to_read
        on
            source_names.organization_id = tables_to_read.organization_id
            and source_names.file_name = tables_to_read.file_name
),

names_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, file_name, fact_type, id
            order by is_stored asc
        ) as recency_rank
    from names_together
)

select
    {% for column in columns %}
        {{ column }}{% if not loop.last %},{% endif %}
    {% endfor %}
from names_ranked
where recency_rank = 1
