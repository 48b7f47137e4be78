{#
  One value of a parsed metadata.json, whichever way its key is spelled; snake_case wins.
  Arguments: entries (SQL expression of type map<string,string>), key (string, snake_case).
#}
{% macro metadata_value(entries, key) -%}
    {%- set words = key.split('_') -%}
    {%- set camel = words[0] ~ words[1:] | map('capitalize') | join -%}
    coalesce({{ entries }}['{{ key }}'], {{ entries }}['{{ camel }}'])
{%- endmacro %}

{#
  An ISO 8601 text as a timestamp; without a zone it is UTC, whatever the session's zone; null if it is
  none. Argument: text (SQL expression of type string).
#}
{% macro utc_timestamp(text) -%}
    try_cast(
        case
            when {{ text }} rlike '([Zz]|[+-][0-9]{2}:?[0-9]{2})$' then {{ text }}
            when {{ text }} rlike ':' then concat({{ text }}, 'Z')
            else concat({{ text }}, ' 00:00:00Z')
        end as timestamp
    )
{%- endmacro %}
