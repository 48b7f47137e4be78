{#
  Parses an ISO 8601 string as a timestamp. Without an offset it is UTC, whatever the session's time
  zone. Null if the string is not a time.
  Arguments: text (SQL expression, string).
#}
{% macro utc_timestamp(text) -%}
    try_cast(
        case
            -- Spark reads a string without a date as a time of today
            when {{ text }} not rlike '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then null
            when {{ text }} not rlike ':' then concat({{ text }}, ' 00:00:00Z')
            when {{ text }} rlike ':.*([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)$'
                then {{ sync_logs._with_seconds(text) }}
            else concat({{ sync_logs._with_seconds(text) }}, 'Z')
        end as timestamp
    )
{%- endmacro %}

{# Adds the seconds and the upper case that Spark requires but ISO 8601 does not. #}
{% macro _with_seconds(text) -%}
    regexp_replace(upper({{ text }}), '([T ][0-9]{2}:[0-9]{2})(?=$|[Z+-])', '$1:00')
{%- endmacro %}
