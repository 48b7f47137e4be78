{#
  Stops a build that would materialize the models of the state in another way than this package
  does. A project's `models: +materialized: table` applies to all packages, and dbt would drop
  tables whose data cannot be read again. Documented tables may be materialized as tables: they are
  leaves.
#}
{% macro check_materializations() -%}
    {%- set found = [] -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and node.package_name == 'sync_logs'
        and node.fqn[1] in ('staging', 'intermediate')
        and node.config.materialized not in ('load', 'lazy_view', 'commit') -%}
        {%- do found.append(node) -%}
    {%- endfor -%}
    {%- if found -%}
        {%- do sync_logs.stop(
            'dbt_project.yml materializes ' ~ found[0].name ~ ' and ' ~ (found | length - 1)
            ~ ' other models of sync_logs as `' ~ found[0].config.materialized ~ '`, which would replace the state of '
            ~ 'earlier builds. Put `+materialized` below the name of your own project: `models: ' ~ project_name
            ~ ': +materialized: ' ~ found[0].config.materialized ~ '`.') -%}
    {%- endif -%}
{%- endmacro %}
