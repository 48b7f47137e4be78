{#
  Returns whether this command computes loads. With `--empty` it only checks that the SQL runs and
  changes nothing.
#}
{% macro is_building() -%}
    {{ return(execute and flags.WHICH in ('build', 'run', 'retry') and not flags.EMPTY) }}
{%- endmacro %}
