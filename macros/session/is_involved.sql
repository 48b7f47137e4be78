{#
  Whether a command builds or tests anything of ours. A project that uses this package runs its hooks with
  every command, also with one that has nothing to do with us: that must cost nothing. The seed alone needs
  nothing either: a project that has all our models disabled still builds it.
#}
{% macro is_involved() -%}
    {%- for unique_id in selected_resources
        if unique_id.split('.')[1] == 'sync_logs' and not unique_id.startswith('seed.') -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}
