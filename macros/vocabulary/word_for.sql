{#
  Returns the meaning of a word, cleaned if necessary; null if the word is unknown. Nearly all words
  are clean, so the raw string is looked up first: cleaning takes a regular expression. The words
  are a map and not a `case`, because the code that Spark generates for many branches is too long
  for Java to compile and would be interpreted row by row.
  Arguments: text (SQL expression, string); word_map (SQL expression, constant map).
#}
{% macro word_for(text, word_map) -%}
    coalesce(
        try_element_at({{ word_map }}, {{ text }}),
        try_element_at({{ word_map }}, {{ sync_logs.cleaned(text) }})
    )
{%- endmacro %}

{#
  Returns a SQL map: the words of one kind in this build.
  Arguments: kind (string): a key of `words`.
#}
{% macro word_map(kind) -%}
    map(
        {%- for word, meaning in sync_logs.words()[kind].items() %}
            {{ sync_logs.text_literal(word) }}, '{{ meaning }}' {{- ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}

{# Trims white space of any kind, not only spaces, and converts to lower case. #}
{% macro cleaned(text) -%}
    lower(regexp_replace({{ text }}, '(?U)^\\s+|\\s+$', ''))
{%- endmacro %}
