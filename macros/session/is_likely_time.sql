{#
  Returns a SQL condition: a time in a log is not more than a day after the time of the build. Clocks
  differ by hours; a time that is further ahead is wrong, and would make all other times look old.
  Arguments: time (SQL expression).
#}
{% macro is_likely_time(time) -%}
    {{ time }} <= {{ sync_logs.this_as_of() }} + interval '1' day
{%- endmacro %}
