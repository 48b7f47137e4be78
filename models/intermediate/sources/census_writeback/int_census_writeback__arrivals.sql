{#
  Runs in the table `sync_log` of Census, as far as it shows them: their rows, and the ids of their
  source and destination, which Census does not write on every warehouse.
#}
{{ config(enabled=sync_logs.table_sources('census_writeback') | length > 0) }}
{% set kinds = {
    'batch': ['log_id', 'record_identifier', 'operation', 'status', 'status_message'],
    'metadata': ['source_id', 'source_object_id', 'destination_id', 'destination_object_id']} %}
{% for source in sync_logs.table_sources('census_writeback') %}
    {% for kind, columns in kinds.items() %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_log', 'sync_id') }} as sync_id,
            {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
            '{{ kind }}' as file_kind,
            'sync_log' as file_name,
            {{ 'count(*)' if kind == 'batch' else '1L' }} as record_count,
            {% if kind == 'batch' %}
                {{ sync_logs.greatest_of_column(
                    source, 'sync_log', '_census_logged_at', 'timestamp') }} as last_arrived_at,
                {{ sync_logs.fingerprint(source, 'sync_log', columns) }} as fingerprint
            {% else %}
                cast(null as timestamp) as last_arrived_at,
                {{ sync_logs.fingerprint_of_facts(source, 'sync_log', columns) }} as fingerprint
            {% endif %}
        from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
        group by sync_id, sync_run_id
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
