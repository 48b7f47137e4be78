{#
  Inserts rows into this load's partition of a table of the state. Columns that only older versions of
  the state have stay null.
  Arguments: table (string): its model; query (SQL): has all columns that the model declares; replaced
  (mapping of column to SQL expression): the columns that are not copied unchanged.
#}
{% macro insert_rows(table, query, replaced={}) -%}
    {%- set relation = sync_logs.state_table(table) -%}
    {%- set names = [] -%}
    {%- set values = [] -%}
    {%- for column in sync_logs.load_columns(graph.nodes['model.sync_logs.' ~ table]) -%}
        {%- do names.append(column.name) -%}
        {%- do values.append(replaced.get(column.name, 'moved.' ~ column.name) ~ ' as ' ~ column.name) -%}
    {%- endfor -%}
    {%- call statement() -%}
        insert into {{ relation }} partition (load_id = '{{ sync_logs.operation_load_id() }}')
        ({{ names | join(', ') }})
        select {{ values | join(', ') }}
        from ({{ query }}) as moved
    {%- endcall -%}
{%- endmacro %}
