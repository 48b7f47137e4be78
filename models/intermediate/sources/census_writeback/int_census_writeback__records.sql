{# Rows of `sync_log` of the runs that this build reads. Census gives each row an id. #}
{{ config(enabled=sync_logs.table_sources('census_writeback') | length > 0) }}
-- depends_on: {{ ref('int_files__planned') }}
{% set texts = {'log_id': 'log_id', 'identifier': 'record_identifier',
    'record_payload': 'record_payload', 'operation': 'operation', 'status': 'status',
    'status_message': 'status_message'} %}
{% set times = {'batch_started_at': 'batch_started_at', 'batch_ended_at': 'batch_completed_at',
    'logged_at': '_census_logged_at'} %}
{% for source in sync_logs.table_sources('census_writeback') %}
    select
        {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
        {{ sync_logs.source_column(source, 'sync_log', 'sync_id') }} as sync_id,
        {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
        'sync_log' as file_name,
        {{ sync_logs.source_column(source, 'sync_log', 'log_id') }} as source_key,
        {% for name, column in texts.items() %}
            {{ sync_logs.source_column(source, 'sync_log', column) }} as {{ name }},
        {% endfor %}
        {% for name, column in times.items() %}
            {{ sync_logs.source_column(source, 'sync_log', column, 'timestamp') }} as {{ name }},
        {% endfor %}
        cast(null as string) as reported_op_type,
        cast(null as string) as reported_split_group
    from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
    where {{ sync_logs.planned_runs_only(source, 'sync_log', 'sync_run_id', 'batch') }}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
