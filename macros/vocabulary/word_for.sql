{#
  The word that a cleaned text stands for, null for an unknown one. A map and not a `case`: the code that Spark
  makes of many branches is too long for Java to compile, so that it is interpreted, row by row.
  Arguments: text (SQL expression of type string), words ({cleaned text: word}).
#}
{% macro word_for(text, words) -%}
    try_element_at(
        map(
            {%- for found, word in words.items() %}
                '{{ found }}', '{{ word }}' {{- ',' if not loop.last }}
            {%- endfor %}
        ),
        {{ sync_logs.cleaned(text) }}
    )
{%- endmacro %}

{# Without white space at either end (of any kind, not blanks alone) and in lower case. #}
{% macro cleaned(text) -%}
    lower(regexp_replace({{ text }}, '(?U)^\\s+|\\s+$', ''))
{%- endmacro %}
