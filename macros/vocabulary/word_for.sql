{#
  The word that a cleaned text stands for, null for an unknown one. Nearly all texts come clean, so they are looked
  up as they are first: to clean one takes a regular expression. A map and not a `case`: the code that Spark makes
  of many branches is too long for Java to compile, so that it is interpreted, row by row.
  Arguments: text (SQL expression of type string), words ({cleaned text: word}).
#}
{% macro word_for(text, words) -%}
    {%- set word_map -%}
        map(
            {%- for found, word in words.items() %}
                '{{ found }}', '{{ word }}' {{- ',' if not loop.last }}
            {%- endfor %}
        )
    {%- endset -%}
    coalesce(
        try_element_at({{ word_map }}, {{ text }}),
        try_element_at({{ word_map }}, {{ sync_logs.cleaned(text) }})
    )
{%- endmacro %}

{# Without white space at either end (of any kind, not blanks alone) and in lower case. #}
{% macro cleaned(text) -%}
    lower(regexp_replace({{ text }}, '(?U)^\\s+|\\s+$', ''))
{%- endmacro %}
