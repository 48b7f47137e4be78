{#
  The word that a cleaned text stands for, null for an unknown one. Nearly all texts come clean, so they are looked
  up as they are first: to clean one takes a regular expression. A map and not a `case`: the code that Spark makes
  of many branches is too long for Java to compile, so that it is interpreted, row by row.
  Arguments: text (SQL expression of type string), word_map (SQL expression of a map that is constant).
#}
{% macro word_for(text, word_map) -%}
    coalesce(
        try_element_at({{ word_map }}, {{ text }}),
        try_element_at({{ word_map }}, {{ sync_logs.cleaned(text) }})
    )
{%- endmacro %}

{# The words of one kind that hold in this build, as a SQL map. Argument: kind (string, as in `words`). #}
{% macro word_map(kind) -%}
    map(
        {%- for word, meaning in sync_logs.words()[kind].items() %}
            {{ sync_logs.text_literal(word) }}, '{{ meaning }}' {{- ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}

{# Without white space at either end (of any kind, not blanks alone) and in lower case. #}
{% macro cleaned(text) -%}
    lower(regexp_replace({{ text }}, '(?U)^\\s+|\\s+$', ''))
{%- endmacro %}
