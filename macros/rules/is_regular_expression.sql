{#
  Returns a SQL condition: Spark accepts a string as a regular expression. No function of Spark
  tests this without stopping the query, but functions whose names begin with `try_` return null for
  any error in their arguments (observed on Spark 3.5.7 and 4.1.4, and tested). Use it once per
  query, so that Spark does not share the trial with another step.
  Arguments: text (SQL expression).
#}
{% macro is_regular_expression(text) -%}
    try_to_binary(cast('' rlike {{ text }} as string), 'utf-8') is not null
{%- endmacro %}
