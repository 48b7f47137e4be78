{#
  Runs in the table `sync_log` of RudderStack, as far as it shows them: their rows, and times. One
  query of the table counts both.
#}
{{ config(enabled=sync_logs.table_sources('rudderstack') | length > 0) }}
{% set row_columns = ['primary_key', 'operation', 'status', 'error_reason'] %}
{% set run_columns = ['sync_started_at', 'sync_finished_at'] %}
with

kinds as (
    select * from values ('batch'), ('metadata') as kinds_of_arrivals (file_kind)
),

runs_counted as (
    {% for source in sync_logs.table_sources('rudderstack') %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_log', 'connection_id') }} as sync_id,
            {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
            count(*) as record_count,
            {{ sync_logs.fingerprint(source, 'sync_log', row_columns) }} as row_fingerprint,
            {{ sync_logs.fingerprint_of_facts(source, 'sync_log', run_columns) }} as run_fingerprint
        from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
        group by connection_id, sync_run_id
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
    cast(null as timestamp) as last_arrived_at,
    if(kinds.file_kind = 'batch', runs_counted.row_fingerprint, runs_counted.run_fingerprint)
        as fingerprint
from runs_counted
cross join kinds
