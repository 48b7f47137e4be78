{#
  Stops a macro on arguments that mean nothing, naming the macro, the argument and the mend.
  Arguments: macro_name (string), arguments (mapping of name to [value, kind]; kinds: text, id (null allowed),
  time, expression).
#}
{% macro check_arguments(macro_name, arguments) -%}
    {%- for name, (value, kind) in arguments.items() -%}
        {%- set wrong = none -%}
        {%- if kind in ('text', 'expression') and not (value is string and value) -%}
            {%- set wrong = 'give it as a text' -%}
        {%- elif kind == 'id' and value is not none and value is not string -%}
            {%- set wrong = 'give it as a text, or leave it out' -%}
        {%- elif kind == 'time' and not (value is string and sync_logs.is_time(value)) -%}
            {%- set wrong = 'give ISO 8601, for instance 2026-01-31T06:00:00Z' -%}
        {%- endif -%}
        {%- if wrong -%}
            {%- do exceptions.raise_compiler_error(
                macro_name ~ ': ' ~ name ~ ' is ' ~ value ~ '; ' ~ wrong ~ '.') -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# Whether a text is a date or a time as ISO 8601 writes them. #}
{% macro is_time(text) -%}
    {{ return(modules.re.match(
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})?)?$', text) is not none) }}
{%- endmacro %}
