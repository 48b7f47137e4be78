{#
  Stops every command if two sources have something that only one can have. `check_source_entries`
  has checked each entry alone.
  Arguments: found (list): all sources, as `sources` returns them.
#}
{% macro check_sources(found) -%}
    {%- do sync_logs._check_distinct(found, 'name') -%}
    {%- do sync_logs._check_distinct(found | rejectattr('type', 'eq', 'census_lake'), 'organization_id') -%}
    {%- if found | selectattr('type', 'eq', 'census_lake') | list | length > 1 -%}
        {%- do sync_logs.refuse_sources('has two sources of the type census_lake; build each lake into its own schema') -%}
    {%- endif -%}
{%- endmacro %}

{# Stops the run if two sources have the same value. #}
{% macro _check_distinct(sources, key) -%}
    {%- set seen = {} -%}
    {%- for source in sources -%}
        {%- if source[key] in seen -%}
            {%- do sync_logs.refuse_sources(
                'has the ' ~ key ~ ' "' ~ source[key] ~ '" twice, in ' ~ seen[source[key]] ~ ' and ' ~ source.name
                ~ '; give each source its own ' ~ key) -%}
        {%- endif -%}
        {%- do seen.update({source[key]: source.name}) -%}
    {%- endfor -%}
{%- endmacro %}
