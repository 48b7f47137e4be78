{#
  Materialization `load`: inserts the model's rows into one new partition of a table that
  `prepare_state` has made from the model's columns. Nothing that exists is rewritten or dropped,
  so a build that is killed leaves only a partition that no reader ever looks at.
#}
{% materialization load, adapter='spark', supported_languages=['sql'] %}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set columns = sync_logs._load_columns(model) | map(attribute='name') | join(', ') -%}
    {{ run_hooks(pre_hooks) }}
    {%- call statement('main') -%}
        insert into {{ target_relation }} partition (load_id = '{{ sync_logs.load_id() }}')
        ({{ columns }})
        select {{ columns }}
        from (
            {{ sql }}
        )
        {%- if flags.EMPTY %} where false {%- endif %}
    {%- endcall -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{# Declared columns of a `load` model, without the partition column. #}
{% macro _load_columns(node) -%}
    {%- set columns = [] -%}
    {%- for column in node.columns.values() if column.name != 'load_id' -%}
        {%- do columns.append(column) -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}
