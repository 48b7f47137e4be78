{#
  Before version 15, rows that were read a second time, and rows of tables of sources, had tables of
  their own. This moves them to the tables of landed rows. It adds no row twice, so it can be killed
  and run again.
#}
{% macro gather_landed_rows() -%}
    {%- set keys = {
        'int_records__landed': ['organization_id', 'sync_id', 'sync_run_id', 'file_name', 'row_index'],
        'int_facts__landed': ['organization_id', 'file_name', 'row_index', 'fact_type', 'id']} -%}
    {%- for name, key in keys.items() -%}
        {%- for former_name in [name | replace('__landed', '__recovered'), name | replace('__landed', '__received')] -%}
            {%- set former = load_relation(sync_logs.state_table(former_name)) -%}
            {%- if former -%}
                {%- set is_of_table = former_name == 'int_facts__received' -%}
                {%- do run_query(sync_logs._rows_to_gather(sync_logs.state_table(name), former, key, is_of_table)) -%}
                {%- do sync_logs.drop_loads(former, sync_logs.loads_in(former)) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{#
  Statement: adds to a table the rows of another one that it does not have.
  Arguments: table, former (relations); key (list of strings): what identifies a row within its load;
  is_of_table (boolean): whether they are names of tables.
#}
{% macro _rows_to_gather(table, former, key, is_of_table) %}
    {%- set known = adapter.get_columns_in_relation(table) | map(attribute='name') | list %}
    {%- set columns = adapter.get_columns_in_relation(former) | map(attribute='name') | select('in', known) | list %}
    insert into {{ table }} ({{ columns | join(', ') }} {{- ', is_of_table' if is_of_table }})
    select former.{{ columns | join(', former.') }} {{- ', true' if is_of_table }}
    from {{ former }} as former
    left anti join {{ table }} as gathered
        on
            former.load_id = gathered.load_id
            {% for column in key %}
                and former.{{ column }} <=> gathered.{{ column }}
            {% endfor %}
{% endmacro %}
