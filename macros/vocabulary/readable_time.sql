{#
  A time of the years 1 to 9999 (UTC), or null: Spark also has times that Python, JSON and most
  databases cannot read, and one of them in a log would break every reader. Python's `fromtimestamp`,
  with which PySpark collects, cannot read the first day either. Some programs log it for no time.
  Arguments: time (SQL expression, timestamp).
#}
{% macro readable_time(time) -%}
    case
        when
            {{ time }} between timestamp '0001-01-02T00:00:00Z'
            and timestamp '9999-12-31T23:59:59.999999Z'
            then {{ time }}
    end
{%- endmacro %}
