{#
  Stops the run if two sources of `sync_logs_sources` have something that only one can have. Each
  entry alone is checked when dbt parses the project (`check_source_entries`).
#}
{% macro check_sources() -%}
    {%- set found = sync_logs.sources() -%}
    {%- do sync_logs._check_distinct(found, 'name') -%}
    {%- do sync_logs._check_distinct(sync_logs.table_sources(), 'organization_id') -%}
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
