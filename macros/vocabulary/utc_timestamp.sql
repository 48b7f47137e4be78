{#
  An ISO 8601 text as a timestamp; without a zone it is UTC, whatever the session's zone; null if it is
  none. Argument: text (SQL expression of type string).
#}
{% macro utc_timestamp(text) -%}
    try_cast(
        case
            -- Spark takes a text without a date for a time of today
            when {{ text }} not rlike '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then null
            when {{ text }} not rlike ':' then concat({{ text }}, ' 00:00:00Z')
            when {{ text }} rlike ':.*([Zz]|[+-][0-9]{2}:?[0-9]{2})$'
                then {{ sync_logs._with_seconds(text) }}
            else concat({{ sync_logs._with_seconds(text) }}, 'Z')
        end as timestamp
    )
{%- endmacro %}

{# Hours and minutes alone are ISO 8601 too, but no time to Spark; nor are its letters in lower case. #}
{% macro _with_seconds(text) -%}
    regexp_replace(upper({{ text }}), '([T ][0-9]{2}:[0-9]{2})(?=$|[Z+-])', '$1:00')
{%- endmacro %}
