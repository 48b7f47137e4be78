{# Rows of `sync_runs` of the runs that this build reads. A source may not have that table. #}
{{ config(enabled=sync_logs.table_sources('hightouch') | length > 0) }}
-- depends_on: {{ ref('int_files__planned') }}
{% set facts = {'sync_run_status': 'status', 'sync_run_error': 'error',
    'primary_key': 'primary_key', 'destination_type': 'destination', 'model_id': 'model_id',
    'model_name': 'model_name'} %}
{% for source in sync_logs.table_sources('hightouch') %}
    {% set is_there = sync_logs.source_columns(source, 'sync_runs') | length > 0 %}
    select
        {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
        {{ sync_logs.source_column(source, 'sync_runs', 'sync_id') }} as sync_id,
        {{ sync_logs.source_column(source, 'sync_runs', 'sync_run_id') }} as sync_run_id,
        {% for name in ['source_id', 'source_object_id', 'destination_id',
            'destination_object_id'] %}
            cast(null as string) as {{ name }},
        {% endfor %}
        {% for name, column in facts.items() %}
            {{ sync_logs.source_column(source, 'sync_runs', column) }} as {{ name }},
        {% endfor %}
        {% for name in ['started_at', 'finished_at'] %}
            {{ sync_logs.source_column(source, 'sync_runs', name, 'timestamp') }}
                as sync_run_{{ name }},
        {% endfor %}
        coalesce(
            {% for name in ['finished_at', 'started_at'] %}
                {% set time = sync_logs.source_column(source, 'sync_runs', name, 'timestamp') %}
                {{ sync_logs.readable_time(time) }} {%- if not loop.last %},{% endif %}
            {% endfor %}
        ) as rows_ended_at,
        map(
            {% for name in sync_logs.hightouch_counts() %}
                '{{ name }}', {{ sync_logs.source_column(source, 'sync_runs', name, 'bigint') }}
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        ) as reported_counts
    from {{ sync_logs.source_relation(source, 'sync_runs') if is_there else 'values (null)' }}
    where
        {% if is_there %}
            {{ sync_logs.planned_runs_only(source, 'sync_runs', 'sync_run_id', 'metadata') }}
        {% else %}
            false
        {% endif %}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
