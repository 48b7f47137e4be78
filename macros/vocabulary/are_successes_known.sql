{#
  Returns a SQL condition: how many records of a run succeeded is known. A source that logs no
  successes reports their number, but may have deleted the report.
#}
{% macro are_successes_known() -%}
    (logs_succeeded_records is not false or reported_succeeded_count is not null)
{%- endmacro %}
