{#
  Answers: what the documented tables say of runs, syncs and errors, computed once for each load and stored with it.
  A build computes them by their models. An operation, which runs no models, computes the same models (those that
  are `computed` in operations: `state_tables`) for its own load before it is committed.
#}

{# The load that answers are computed for: that of the build, or of the compaction at its end. #}
{% macro answered_load_id() -%}
    {%- set is_hook = execute and model is defined and model.resource_type == 'operation' -%}
    {{ return(sync_logs.operation_load_id() if is_hook else sync_logs.load_id()) }}
{%- endmacro %}

{#
  Computes all answers for the load of an operation, each after those that it reads. In a hook dbt resolves no `ref`
  that it has not seen in the hook itself, so tables of the state are found by their names, as everywhere in operations.
#}
{% macro compute_answers() -%}
    {%- set named = '{% set ref = sync_logs.state_table %}' -%}
    {%- set waiting = sync_logs.state_tables()
        | selectattr('config.meta.state.in_operations', 'eq', 'computed') | list -%}
    {%- for turn in waiting | list -%}
        {%- set ready = sync_logs._first_ready(waiting) -%}
        {%- do sync_logs.insert_rows(ready.name, render(named ~ ready.raw_code)) -%}
        {%- do waiting.remove(ready) -%}
    {%- endfor -%}
{%- endmacro %}

{# The first model that reads none of the others. Argument: waiting (list of nodes). #}
{% macro _first_ready(waiting) -%}
    {%- set names = waiting | map(attribute='unique_id') | list -%}
    {%- for node in waiting if not node.depends_on.nodes | select('in', names) | list -%}
        {{ return(node) }}
    {%- endfor -%}
{%- endmacro %}
