{#
  What the run tables of all sources say about the runs that this build reads. Each type of source
  has its own model.
#}
{{ config(enabled=sync_logs.table_sources() | length > 0) }}
{% for type in sync_logs.table_source_types() %}
    select
        organization_id,
        sync_id,
        sync_run_id,
        source_id,
        source_object_id,
        destination_id,
        destination_object_id,
        sync_run_status,
        sync_run_error,
        primary_key,
        destination_type,
        model_id,
        model_name,
        sync_run_started_at,
        sync_run_finished_at,
        rows_ended_at,
        reported_counts
    from {{ ref('int_' ~ type ~ '__runs') }}
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
