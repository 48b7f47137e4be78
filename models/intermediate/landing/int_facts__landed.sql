{{ config(post_hook="{{ sync_logs.recover_facts() }}") }}
{% set paths_only = sync_logs.openable_paths_only('fact') %}
{% set are_tables_read = sync_logs.table_sources() | length > 0 %}
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

{% if are_tables_read %}
    source_names as (
        select * from {{ ref('int_sources__names_to_land') }}
    ),
{% endif %}

files_to_load as (
    select * from files_planned
    where action = 'load' and file_kind = 'fact'
),

facts_read as (
    select
        files_to_load.organization_id,
        files_to_load.file_name,
        lake_facts.row_index,
        {{ sync_logs.fact_type('files_to_load.file_name') }} as fact_type,
        {% for column in sync_logs.column_names('fact') %}
            lake_facts.{{ column }},
        {% endfor %}
        false as is_of_table
    from lake_facts
    inner join files_to_load
        on lake_facts.file_path = files_to_load.file_path
)

select * from facts_read

{% if are_tables_read %}
    union all

    select
        organization_id,
        file_name,
        cast(0 as bigint) as row_index,
        fact_type,
        {% for column in sync_logs.column_names('fact') %}
            {{ column }},
        {% endfor %}
        true as is_of_table
    from source_names
{% endif %}
