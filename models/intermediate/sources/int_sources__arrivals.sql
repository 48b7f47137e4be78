{#
  The runs in the tables of all sources, as far as each table shows them. Each type of source
  has its own model.
#}
{{ config(enabled=sync_logs.table_sources() | length > 0) }}
{% for type in sync_logs.table_source_types() %}
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_kind,
        file_name,
        record_count,
        last_arrived_at,
        fingerprint
    from {{ ref('int_' ~ type ~ '__arrivals') }}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
