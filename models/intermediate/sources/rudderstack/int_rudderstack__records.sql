{#
  Rows of `sync_log` of the runs that this build reads. A row has no id of its own: its key is the
  run, the record and the operation. RudderStack logs no payload, and no time of a row.
#}
{{ config(enabled=sync_logs.table_sources('rudderstack') | length > 0) }}
-- depends_on: {{ ref('int_files__planned') }}
{% for source in sync_logs.table_sources('rudderstack') %}
    select
        {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
        {{ sync_logs.source_column(source, 'sync_log', 'connection_id') }} as sync_id,
        {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
        'sync_log' as file_name,
        to_json(
            array(
                {{ sync_logs.source_column(source, 'sync_log', 'primary_key') }},
                {{ sync_logs.source_column(source, 'sync_log', 'operation') }}
            )
        ) as source_key,
        cast(null as string) as log_id,
        {{ sync_logs.source_column(source, 'sync_log', 'primary_key') }} as identifier,
        cast(null as string) as record_payload,
        {{ sync_logs.source_column(source, 'sync_log', 'operation') }} as operation,
        {{ sync_logs.source_column(source, 'sync_log', 'status') }} as status,
        {{ sync_logs.source_column(source, 'sync_log', 'error_reason') }} as status_message,
        {% for name in ['batch_started_at', 'batch_ended_at', 'logged_at'] %}
            cast(null as timestamp) as {{ name }},
        {% endfor %}
        cast(null as string) as reported_op_type,
        cast(null as string) as reported_split_group
    from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
    where {{ sync_logs.planned_runs_only(source, 'sync_log', 'sync_run_id', 'batch') }}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
