{#
  One value of a parsed metadata.json, whichever way its key is spelled; snake_case wins.
  Arguments: entries (SQL expression of type map<string,string>), key (string, snake_case).
#}
{% macro metadata_value(entries, key) -%}
    {%- set words = key.split('_') -%}
    {%- set camel = words[0] ~ words[1:] | map('capitalize') | join -%}
    coalesce({{ entries }}['{{ key }}'], {{ entries }}['{{ camel }}'])
{%- endmacro %}
