{#
  Inserts rows into this load's partition of a table of the state.
  Arguments: table (string); query (SQL): has all columns of the table; replaced (mapping of column
  to SQL expression): the columns that are not copied unchanged.
#}
{% macro insert_rows(table, query, replaced={}) -%}
    {%- set relation = sync_logs.state_table(table) -%}
    {%- set names = [] -%}
    {%- set values = [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) if column.name != 'load_id' -%}
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
