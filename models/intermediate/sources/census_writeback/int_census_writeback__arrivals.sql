{#
  Runs in the table `sync_log` of Census, as far as it shows them: their rows, and the ids of their
  source and destination, which Census does not write on every warehouse. One query of the table
  counts both.
#}
{{ config(enabled=sync_logs.table_sources('census_writeback') | length > 0) }}
{% set row_columns = ['log_id', 'record_identifier', 'operation', 'status', 'status_message'] %}
{% set run_columns = ['source_id', 'source_object_id', 'destination_id', 'destination_object_id'] %}
with

kinds as (
    select * from values ('batch'), ('metadata') as kinds_of_arrivals (file_kind)
),

runs_counted as (
    {% for source in sync_logs.table_sources('census_writeback') %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_log', 'sync_id') }} as sync_id,
            {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
            count(*) as record_count,
            {{ sync_logs.greatest_of_column(
                source, 'sync_log', '_census_logged_at', 'timestamp') }} as last_arrived_at,
            {{ sync_logs.fingerprint(source, 'sync_log', row_columns) }} as row_fingerprint,
            {{ sync_logs.fingerprint_of_facts(source, 'sync_log', run_columns) }} as run_fingerprint
        from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
        group by sync_id, sync_run_id
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
)

select
    runs_counted.organization_id,
    runs_counted.sync_id,
    runs_counted.sync_run_id,
    kinds.file_kind,
    'sync_log' as file_name,
    if(kinds.file_kind = 'batch', runs_counted.record_count, 1L) as record_count,
    if(kinds.file_kind = 'batch', runs_counted.last_arrived_at, null) as last_arrived_at,
    if(kinds.file_kind = 'batch', runs_counted.row_fingerprint, runs_counted.run_fingerprint)
        as fingerprint
from runs_counted
cross join kinds
