{#
  Runs in the tables of Hightouch, and the last runs of syncs that have only a snapshot, as far as
  each table shows them. The rows of a run have arrived again if their number or their fingerprint
  has changed.
#}
{{ config(enabled=sync_logs.table_sources('hightouch') | length > 0) }}
{# not the payload, which is wide #}
{% set row_columns = ['row_id', 'op_type', 'status', 'failure_reason', 'failed_reason'] %}
{% set run_columns = ['status', 'error', 'started_at', 'finished_at', 'primary_key', 'destination',
    'model_name', 'model_id'] + sync_logs.hightouch_counts() %}
{% for source in sync_logs.table_sources('hightouch') %}
    {% if sync_logs.source_columns(source, 'sync_changelog') %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_changelog', 'sync_id') }} as sync_id,
            {{ sync_logs.source_column(source, 'sync_changelog', 'sync_run_id') }} as sync_run_id,
            'batch' as file_kind,
            'sync_changelog' as file_name,
            count(*) as record_count,
            cast(null as timestamp) as last_arrived_at,
            {{ sync_logs.fingerprint(source, 'sync_changelog', row_columns) }} as fingerprint
        from {{ sync_logs.source_relation(source, 'sync_changelog') }}
        group by sync_id, sync_run_id

        union all
    {% endif %}
    {% if sync_logs.source_columns(source, 'sync_runs') %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_runs', 'sync_id') }} as sync_id,
            {{ sync_logs.source_column(source, 'sync_runs', 'sync_run_id') }} as sync_run_id,
            'metadata' as file_kind,
            'sync_runs' as file_name,
            count(*) as record_count,
            cast(null as timestamp) as last_arrived_at,
            {{ sync_logs.fingerprint_of_few_rows(source, 'sync_runs', run_columns) }} as fingerprint
        from {{ sync_logs.source_relation(source, 'sync_runs') }}
        group by sync_id, sync_run_id

        union all
    {% endif %}
{% endfor %}

select
    organization_id,
    sync_id,
    sync_run_id,
    'batch' as file_kind,
    'sync_snapshot' as file_name,
    count(distinct row_id) as record_count,
    cast(null as timestamp) as last_arrived_at,
    {{ sync_logs.fingerprint_of_rows(
        ['row_id', 'op_type', 'status', 'failure_reason', 'column_hash']) }} as fingerprint
from {{ ref('int_hightouch__snapshots') }}
group by organization_id, sync_id, sync_run_id
