{#
  Query: the runs of a sync that are followed by a replacing run, with the next such run. That run
  takes out of the delivered state every record that it does not have. Columns: organization_id,
  sync_id, position, replacement (struct of the replacing run: position, sync_run_id, ended_at).
  Arguments: runs (name of a step): rows of int_runs__planned.
#}
{% macro replacements(runs) %}
    select
        {{ runs }}.organization_id,
        {{ runs }}.sync_id,
        {{ runs }}.position,
        struct(
            replacing_runs.position,
            replacing_runs.sync_run_id,
            {{ sync_logs.replaced_at('replacing_runs') }} as ended_at
        ) as replacement
    from {{ runs }}
    inner join {{ runs }} as replacing_runs
        on
            {{ runs }}.organization_id = replacing_runs.organization_id
            and {{ runs }}.sync_id = replacing_runs.sync_id
            and {{ runs }}.next_replacing_position = replacing_runs.position
{% endmacro %}

{#
  Returns a SQL expression (timestamp): when a replacing run takes records out. If its source logs no
  times of rows, it is the end of the run, otherwise its order time.
  Arguments: runs (name of a step): rows of int_runs__planned.
#}
{% macro replaced_at(runs) -%}
    coalesce({{ runs }}.last_batch_ended_at, {{ runs }}.rows_ended_at, {{ runs }}.order_at)
{%- endmacro %}
