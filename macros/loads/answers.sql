{#
  Answers: what the documented tables show about runs, syncs and errors, computed once per load and
  stored with it. In a build, their models compute them. An operation runs no models, so it computes
  the same models for its own load before the commit (those that are `computed` in operations: see
  `state_tables`). A compaction, which changes no answer, copies them.
#}

{#
  Computes all answers for the load of an operation, each after the answers that it reads. In a
  hook, dbt resolves no `ref` that it has not seen in the hook itself, so tables of the state are
  found by name, as everywhere in operations.
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

{#
  Returns the first model that reads none of the others.
  Arguments: waiting (list of nodes).
#}
{% macro _first_ready(waiting) -%}
    {%- set names = waiting | map(attribute='unique_id') | list -%}
    {%- for node in waiting if not node.depends_on.nodes | select('in', names) | list -%}
        {{ return(node) }}
    {%- endfor -%}
{%- endmacro %}
