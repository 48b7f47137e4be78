{#
  Returns one value of a parsed metadata.json. Its key may be in snake_case or camelCase; snake_case
  takes precedence.
  Arguments: entries (SQL expression, map<string,string>); key (string): in snake_case.
#}
{% macro metadata_value(entries, key) -%}
    {%- set words = key.split('_') -%}
    {%- set camel = words[0] ~ words[1:] | map('capitalize') | join -%}
    coalesce({{ entries }}['{{ key }}'], {{ entries }}['{{ camel }}'])
{%- endmacro %}
