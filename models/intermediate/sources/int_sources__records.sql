{#
  Rows of the runs that this build reads from the tables of all sources. Each type of source has
  its own model.
#}
{{ config(enabled=sync_logs.table_sources() | length > 0) }}
{% for type in sync_logs.table_source_types() %}
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        source_key,
        log_id,
        identifier,
        record_payload,
        operation,
        status,
        status_message,
        batch_started_at,
        batch_ended_at,
        logged_at,
        reported_op_type,
        reported_split_group
    from {{ ref('int_' ~ type ~ '__records') }}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
