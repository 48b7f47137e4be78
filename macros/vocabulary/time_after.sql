{#
  Returns a SQL expression: the time a number of microseconds after another one, to the microsecond below.
  Arguments (SQL expressions): time (timestamp); micros (double).
#}
{% macro time_after(time, micros) -%}
    timestamp_micros(unix_micros({{ time }}) + cast(floor({{ micros }}) as bigint))
{%- endmacro %}
