{# The ids of source and destination of the runs that this build reads, from their rows. #}
{{ config(enabled=sync_logs.table_sources('census_writeback') | length > 0) }}
-- depends_on: {{ ref('int_files__planned') }}
{% set ids = ['source_id', 'source_object_id', 'destination_id', 'destination_object_id'] %}
{% for source in sync_logs.table_sources('census_writeback') %}
    select
        {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
        {{ sync_logs.source_column(source, 'sync_log', 'sync_id') }} as sync_id,
        {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
        {% for name in ids %}
            {{ sync_logs.greatest_of_column(source, 'sync_log', name) }} as {{ name }},
        {% endfor %}
        {% for name in ['sync_run_status', 'sync_run_error', 'primary_key', 'destination_type',
            'model_id', 'model_name'] %}
            cast(null as string) as {{ name }},
        {% endfor %}
        {% for name in ['sync_run_started_at', 'sync_run_finished_at', 'rows_ended_at'] %}
            cast(null as timestamp) as {{ name }},
        {% endfor %}
        from_json(cast(null as string), 'map<string,bigint>') as reported_counts
    from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
    where {{ sync_logs.planned_runs_only(source, 'sync_log', 'sync_run_id', 'metadata') }}
    group by sync_id, sync_run_id
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
