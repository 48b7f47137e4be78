{#
  The only copy of the log's records that must exist. The ids of a file's rows come from the plan,
  which has one row per file. Files with other physical types are read after that, by the hook.
#}
{{ config(post_hook="{{ sync_logs.recover_records() }}") }}
{% set paths_only = sync_logs.openable_paths_only('batch') %}
{% set are_tables_read = sync_logs.table_sources() | length > 0 %}
{% set of_tables = {'source_key': 'string', 'log_id': 'string', 'logged_at': 'timestamp',
    'reported_op_type': 'string', 'reported_split_group': 'string', 'source_row_count': 'bigint'} %}
with

lake_batches as (
    select
        *,
        _metadata.file_path,
        _metadata.row_index
    from {{ sync_logs.lake_table('batches') }}
    where {{ paths_only }}
),

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

{% if are_tables_read %}
    source_records as (
        select * from {{ ref('int_sources__records_to_land') }}
    ),
{% endif %}

files_to_load as (
    select * from files_planned
    where action = 'load' and file_kind = 'batch'
),

records_read as (
    select /*+ broadcast(files_to_load) */
        files_to_load.organization_id,
        files_to_load.sync_id,
        files_to_load.sync_run_id,
        files_to_load.file_name,
        files_to_load.batch_type,
        files_to_load.batch_number,
        lake_batches.row_index,
        {% for column in sync_logs.column_names('batch') %}
            lake_batches.{{ column }},
        {% endfor %}
        {% for column, type in of_tables.items() %}
            cast(null as {{ type }}) as {{ column }}{% if not loop.last %},{% endif %}
        {% endfor %}
    from lake_batches
    inner join files_to_load
        on lake_batches.file_path = files_to_load.file_path
),

records_together as (
    select * from records_read

    {% if are_tables_read %}
        union all

        select
            organization_id,
            sync_id,
            sync_run_id,
            file_name,
            cast(null as string) as batch_type,
            cast(null as decimal(38, 0)) as batch_number,
            row_index,
            {% for column in sync_logs.column_names('batch') + of_tables | list %}
                {{ column }}{% if not loop.last %},{% endif %}
            {% endfor %}
        from source_records
    {% endif %}
),

records_marked as (
    select
        *,
        {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }} as is_purged
    from records_together
)

select
    organization_id,
    sync_id,
    sync_run_id,
    file_name,
    batch_type,
    batch_number,
    row_index,
    -- a purged record of a file keeps its place, so that the row count still matches the footer
    {% for column in sync_logs.column_names('batch') %}
        case when not is_purged then {{ column }} end as {{ column }},
    {% endfor %}
    {% for column in of_tables %}
        {{ column }},
    {% endfor %}
    is_purged
from records_marked
where source_row_count is null or not is_purged
{{ sync_logs.search_order('records_marked') }}
