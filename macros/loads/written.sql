{#
  Which models a build has written. Each materialization records its model at its very end, so a
  model that was left out, that failed, or whose hook failed is not recorded, whatever dbt ran after
  it. All nodes of a build share dbt's graph, so a record costs no query.
#}

{# Returns the note of this build in dbt's graph: the models that it has written. #}
{% macro _written() -%}
    {#- one step for both levels, so that of two models that end at once none replaces the other's note -#}
    {{ return(graph.setdefault('sync_logs_written', {}).setdefault(sync_logs.load_id(), {})) }}
{%- endmacro %}

{# Records that this build has written the model that runs now. #}
{% macro record_written() -%}
    {%- if sync_logs.is_building() -%}
        {%- do sync_logs._written().update({model.unique_id: true}) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the names of models that a commit needs and that this build has not written: every table
  of the state, and everything that these tables are made from. Python models are leaves: nothing
  published depends on them, so no commit waits for one.
#}
{% macro unwritten_models() -%}
    {%- set written = sync_logs._written() -%}
    {%- set needed = sync_logs.state_tables()
        | rejectattr('language', 'eq', 'python') | map(attribute='unique_id') | list -%}
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
