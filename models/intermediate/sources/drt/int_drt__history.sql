{# The history of drt: what it reports about each run. Lines that are cut are left out. #}
{{ config(enabled=sync_logs.table_sources('drt') | length > 0) }}
{% set texts = ['sync_run_id', 'status', 'started_at', 'completed_at'] %}
{% set schema = texts | join(' string, ')
    ~ ' string, records_synced bigint, records_failed bigint, errors array<string>' %}
with

lines as (
    {% for source in sync_logs.table_sources('drt') %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            sync_id,
            from_json(value, '{{ schema }}') as entry
        from {{ sync_logs.drt_lines(source, 'history') }}
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
)

select
    organization_id,
    sync_id,
    entry.sync_run_id,
    entry.status,
    nullif(array_join(entry.errors, '\n'), '') as error,
    {{ sync_logs.utc_timestamp('entry.started_at') }} as started_at,
    {{ sync_logs.utc_timestamp('entry.completed_at') }} as completed_at,
    entry.records_synced,
    entry.records_failed
from lines
where entry.sync_run_id is not null
