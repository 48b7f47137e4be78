{#
  Stops the run where tables of ours would be written into a schema from which we read: a slip in a
  `generate_schema_name`, or a relation of the user's that lies among our tables. A catalog does not tell
  small letters from capital ones.
#}
{% macro check_schemas() -%}
    {%- set written = sync_logs.written_schemas() -%}
    {%- set lake = sync_logs.lake_schema() -%}
    {%- if lake | lower in written -%}
        {%- do sync_logs.stop(
            'The schema ' ~ lake ~ ' is both that of the lake and one that tables are written to; give '
            ~ 'the models of sync_logs another `+schema` in dbt_project.yml.') -%}
    {%- endif -%}
    {%- for name in ['sync_logs_settings_relation', 'sync_logs_error_rules_relation'] -%}
        {%- set parts = (var(name) or '') | replace('`', '') | lower -%}
        {%- if '.' in parts and parts.split('.')[-2] in written + [lake | lower] -%}
            {%- do sync_logs.stop(
                name ~ ' is ' ~ var(name) ~ ', in a schema that this package writes to; put the relation '
                ~ 'into another schema.') -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# The schemas of everything that a build of ours makes, in small letters. #}
{% macro written_schemas() -%}
    {%- set found = [] -%}
    {%- for node in graph.nodes.values()
        if node.package_name == 'sync_logs' and node.resource_type in ('model', 'seed')
        and node.schema | lower not in found -%}
        {%- do found.append(node.schema | lower) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  The relation that a var names: a model or seed of the user's project by its name, so that it is built
  first, or any relation as schema.table. Null: a model or seed of ours.
  Arguments: name (of the var), default (name of our model or seed).
#}
{% macro given_relation(name, default) -%}
    {%- set given = var(name) -%}
    {%- if given and '.' in given -%}
        {{ return(given) }}
    {%- endif -%}
    {#- with the name of the project, or dbt warns that it looked there first -#}
    {{ return(ref(project_name, given) if given else ref('sync_logs', default)) }}
{%- endmacro %}
