{# The times of the runs that this build reads, from their rows. RudderStack reports no more. #}
{{ config(enabled=sync_logs.table_sources('rudderstack') | length > 0) }}
-- depends_on: {{ ref('int_files__planned') }}
{% for source in sync_logs.table_sources('rudderstack') %}
    select
        {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
        {{ sync_logs.source_column(source, 'sync_log', 'connection_id') }} as sync_id,
        {{ sync_logs.source_column(source, 'sync_log', 'sync_run_id') }} as sync_run_id,
        {% for name in ['source_id', 'source_object_id', 'destination_id', 'destination_object_id',
            'sync_run_status', 'sync_run_error', 'primary_key', 'destination_type', 'model_id',
            'model_name'] %}
            cast(null as string) as {{ name }},
        {% endfor %}
        {% for name in ['started_at', 'finished_at'] %}
            {{ sync_logs.greatest_of_column(source, 'sync_log', 'sync_' ~ name, 'timestamp') }}
                as sync_run_{{ name }},
        {% endfor %}
        coalesce(
            {% for name in ['finished_at', 'started_at'] %}
                {% set time = sync_logs.greatest_of_column(
                    source, 'sync_log', 'sync_' ~ name, 'timestamp') %}
                {{ sync_logs.readable_time(time) }} {%- if not loop.last %},{% endif %}
            {% endfor %}
        ) as rows_ended_at,
        from_json(cast(null as string), 'map<string,bigint>') as reported_counts
    from {{ sync_logs.source_relation(source, 'sync_log') or 'values (null)' }}
    where {{ sync_logs.planned_runs_only(source, 'sync_log', 'sync_run_id', 'metadata') }}
    group by connection_id, sync_run_id
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
