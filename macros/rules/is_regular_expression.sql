{#
  Whether Spark takes a text as a regular expression. No function of Spark says so without stopping the query, but
  the functions whose names begin with `try_` give null for whatever goes wrong in their arguments: seen on Spark
  3.5.7 and 4.1.4, and tested. Use it once in a query, so that Spark does not share what it tries with another step.
  Argument: text (an expression).
#}
{% macro is_regular_expression(text) -%}
    try_to_binary(cast('' rlike {{ text }} as string), 'utf-8') is not null
{%- endmacro %}
