{#
  With `int_records__recovered`, the only copy of the lake's records that must exist. The ids come
  from the plan, which has one row per file.
#}
{{ config(post_hook="{{ sync_logs.find_recovery_groups('batch') }}") }}
{% set paths_only = sync_logs.openable_paths_only('batch') %}
{% if paths_only == 'false' %}{% do sync_logs.nothing_to_load() %}{% endif %}
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
        lake_batches.*,
        {{ sync_logs.is_purged(
            'files_to_load.organization_id', 'files_to_load.sync_id', 'lake_batches.identifier'
        ) }} as is_purged
    from lake_batches
    inner join files_to_load
        on lake_batches.file_path = files_to_load.file_path
)

select
    organization_id,
    sync_id,
    sync_run_id,
    file_name,
    batch_type,
    batch_number,
    row_index,
    -- a purged record keeps only its place, so that the row count still matches the footer
    {% for column in sync_logs.batch_column_names() %}
        case when not is_purged then {{ column }} end as {{ column }},
    {% endfor %}
    is_purged
from records_read
{{ sync_logs.search_order('records_read') }}
