{#
  Which models a build has written. Each materialization records its model at its very end, so a
  model that was left out, that failed, or whose hook failed is not recorded, whatever dbt ran after
  it. All nodes of a build share dbt's graph, so a record costs no query.
#}

{# Records that this build has written the model that runs now. #}
{% macro record_written() -%}
    {%- if sync_logs.is_building() -%}
        {%- set recorded = graph.get('sync_logs_written', {}) -%}
        {%- if recorded.get('load_id') != sync_logs.load_id() -%}
            {%- set recorded = {'load_id': sync_logs.load_id()} -%}
            {%- do graph.update({'sync_logs_written': recorded}) -%}
        {%- endif -%}
        {%- do recorded.update({model.unique_id: true}) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the names of models that a commit needs and that this build has not written: every table
  of the state, and everything that these tables are made from. Python models are leaves: nothing
  published depends on them, so no commit waits for one.
#}
{% macro unwritten_models() -%}
    {%- set recorded = graph.get('sync_logs_written', {}) -%}
    {%- set written = recorded if recorded.get('load_id') == sync_logs.load_id() else {} -%}
    {%- set needed = [] -%}
    {%- for node in sync_logs.state_tables() if node.language != 'python' -%}
        {%- do needed.append(node.unique_id) -%}
    {%- endfor -%}
    {#- parents are appended while the list is read, so theirs follow -#}
    {%- for unique_id in needed -%}
        {%- for parent in graph.nodes[unique_id].depends_on.nodes
            if parent.startswith('model.sync_logs.') and parent not in needed -%}
            {%- do needed.append(parent) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set missing = [] -%}
    {%- for unique_id in needed if unique_id not in written -%}
        {%- do missing.append(graph.nodes[unique_id].name) -%}
    {%- endfor -%}
    {{ return(missing | sort) }}
{%- endmacro %}
