{#
  Stops a build if a seed of the project, which a setting names, has ids that dbt has read as
  numbers: 007 would be 7, and 1e5 100000. Called by the model that reads it, when it is loaded.
  Arguments: name (string): the var; columns (list): its ids.
#}
{% macro check_ids_of_seed(name, columns) -%}
    {%- set seed = graph.nodes.get('seed.' ~ project_name ~ '.' ~ var(name)) if sync_logs.is_building() -%}
    {%- if seed -%}
        {%- set found = sync_logs.described_columns(sync_logs.table_of(seed)) or {} -%}
        {%- for column in columns if found.get(column, 'string') != 'string' -%}
            {%- do sync_logs.stop(
                name ~ ' is the seed ' ~ seed.name ~ ', in which dbt has read ' ~ column ~ ' as ' ~ found[column]
                ~ ', so an id 007 would be 7. Give the seed the column_types ' ~ column ~ ': string.') -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}
