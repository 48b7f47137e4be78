{# Runs in the table `sync_log` of RudderStack, as far as it shows them: their rows, and times. #}
{{ config(enabled=sync_logs.table_sources('rudderstack') | length > 0) }}
{% set kinds = {
    'batch': ['primary_key', 'operation', 'status', 'error_reason'],
    'metadata': ['sync_started_at', 'sync_finished_at']} %}
{% for source in sync_logs.table_sources('rudderstack') %}
    {% for kind, columns in kinds.items() %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_log', 'connection_id') }} as sync_id,
            {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
            '{{ kind }}' as file_kind,
            'sync_log' as file_name,
            {{ 'count(*)' if kind == 'batch' else '1L' }} as record_count,
            cast(null as timestamp) as last_arrived_at,
            {% if kind == 'batch' %}
                {{ sync_logs.fingerprint(source, 'sync_log', columns) }} as fingerprint
            {% else %}
                {{ sync_logs.fingerprint_of_facts(source, 'sync_log', columns) }} as fingerprint
            {% endif %}
        from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
        group by connection_id, sync_run_id
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
