{#
  Returns whether a command builds or tests anything of this package. A project that uses the
  package runs its hooks with every command, and commands that do not involve the package must cost
  nothing. The seed alone needs no hook either: a project that disables all models of the package
  still builds it.
#}
{% macro is_involved() -%}
    {%- for unique_id in selected_resources
        if unique_id.split('.')[1] == 'sync_logs' and not unique_id.startswith('seed.') -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}
