{#
  Query: the runs to prune: from the first run of a sync on, as long as they are settled and older
  than the retention. A run that is due for a recount after a purge waits for a later prune.
#}
{% macro prunable_runs(previous_load_id, organization_id, sync_id, retention_days) %}
    {%- set usual_days = var('sync_logs_retention_days') -%}
    with

    runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ previous_load_id }}' and not coalesce(is_too_late, false)
    ),

    settings as (
        select * from {{ sync_logs.state_table('stg_sync_logs__sync_settings') }}
    ),

    runs_aged as (
        select
            runs.*,
            runs.is_settled
            and not coalesce(runs.is_recount_due, false)
            and coalesce(settings.is_active, true)
            {{ sync_logs.of_sync(sync_id, organization_id, 'runs.') }}
            and greatest(runs.order_at, runs.last_batch_ended_at)
            < {{ sync_logs.as_of() }} - make_dt_interval(0, 0, 0, cast(
                {% if retention_days is not none %}
                    {{ retention_days }}
                {% else %}
                    coalesce(settings.retention_days, {{ 'null' if usual_days is none else usual_days }})
                {% endif %}
                as decimal(18, 6)) * 86400) as is_old
        from runs
        left join settings
            on
                runs.organization_id = settings.organization_id
                and runs.sync_id = settings.sync_id
    ),

    runs_bounded as (
        select
            *,
            min(case when not coalesce(is_pruned, false) and not coalesce(is_old, false) then position end)
                over (partition by organization_id, sync_id) as first_kept_position
        from runs_aged
    )

    select
        organization_id,
        sync_id,
        sync_run_id,
        position,
        record_count
    from runs_bounded
    where
        not coalesce(is_pruned, false)
        and (first_kept_position is null or position < first_kept_position)
{% endmacro %}

{% macro prunable_syncs(prunable) %}
    select
        organization_id,
        sync_id,
        count(*) as run_count,
        sum(record_count) as record_count,
        max_by(sync_run_id, position) as last_run
    from ({{ prunable }})
    group by organization_id, sync_id
    order by organization_id, sync_id
{% endmacro %}

{# Query: the loads that have rows of these runs. #}
{% macro loads_of_runs(previous_load_id, prunable) %}
    with

    prunable as (
        select * from ({{ prunable }})
    )

    {% for rows_of in ['run', 'file'] %}
        {% set named = sync_logs.manifests()[rows_of] %}
        select manifest.{{ named.column }} as load_id
        from {{ sync_logs.state_table(named.table) }} as manifest
        left semi join prunable
            on
                manifest.organization_id = prunable.organization_id
                and manifest.sync_id = prunable.sync_id
                and manifest.sync_run_id = prunable.sync_run_id
        where manifest.load_id = '{{ previous_load_id }}' and manifest.{{ named.column }} is not null
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}
