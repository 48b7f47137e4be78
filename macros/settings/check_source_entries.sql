{#
  Stops every command, before the models refer to those of a type, if the setting
  `sync_logs_sources` is not a list of sound sources. Whether an adapter of one's own exists, only
  dbt knows, after it has parsed all models.
  Arguments: given (list of mappings): the setting.
#}
{% macro check_source_entries(given) -%}
    {%- set example = 'for instance sync_logs_sources: [{name: ht, type: hightouch, schema: hightouch_audit}]' -%}
    {%- if given is none -%}
        {{ return('') }}
    {%- elif given is string or given is mapping or given is not iterable or not given -%}
        {%- do sync_logs.refuse_sources('is not a list of sources; write ' ~ example) -%}
    {%- endif -%}
    {%- set keys = ['name', 'type', 'organization_id', 'path', 'schema', 'relations', 'compare'] -%}
    {%- for source in given -%}
        {%- if source is not mapping or source.get('name') is not string or source.get('type') is not string -%}
            {%- do sync_logs.refuse_sources(
                'has an entry without a name or a type as text; write ' ~ example) -%}
        {%- elif not modules.re.match('^[A-Za-z][A-Za-z0-9_]*$', source.name) -%}
            {%- do sync_logs.refuse_sources(
                'has the name "' ~ source.name ~ '"; begin with a letter, and go on with letters, digits and _') -%}
        {%- elif not modules.re.match('^[a-z][a-z0-9_]*$', source.type) -%}
            {%- do sync_logs.refuse_sources(
                'has the type "' ~ source.type ~ '" in the source ' ~ source.name
                ~ '; types are census_lake, census_writeback, drt, hightouch and rudderstack, and those of your own adapters') -%}
        {%- endif -%}
        {%- for key in source if key not in keys -%}
            {%- do sync_logs.refuse_sources(
                'has the key "' ~ key ~ '" in the source ' ~ source.name
                ~ '; its keys are ' ~ keys | join(', ')) -%}
        {%- endfor -%}
        {%- do sync_logs._check_place(source) -%}
        {%- if source.get('compare', 'rows') not in ['rows', 'counts'] -%}
            {%- do sync_logs.refuse_sources(
                'has compare: ' ~ source.compare ~ ' in the source ' ~ source.name ~ '; write rows or counts') -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{# Stops the run if a source does not say where it is, or says it as another type would. #}
{% macro _check_place(source) -%}
    {%- set relations = source.get('relations', {}) -%}
    {%- if source.type == 'census_lake' -%}
        {%- for key in ['organization_id', 'schema', 'relations', 'compare'] if key in source -%}
            {%- do sync_logs.refuse_sources(
                'gives ' ~ key ~ ' to the lake ' ~ source.name ~ '; a lake has a path, and its folders name the organisations') -%}
        {%- endfor -%}
    {%- elif 'path' in source -%}
        {%- do sync_logs.refuse_sources(
            'gives a path to the source ' ~ source.name ~ ' of the type ' ~ source.type
            ~ '; give a schema, or relations: {table: schema.table}') -%}
    {%- elif relations is not mapping or relations.values() | reject('string') | list
        or not (source.get('schema') or relations) -%}
        {%- do sync_logs.refuse_sources(
            'does not say where the source ' ~ source.name
            ~ ' is; give a schema, or relations: {table: schema.table}') -%}
    {%- endif -%}
{%- endmacro %}

{#
  Stops with what is wrong with the setting.
  Arguments: fault (string): what is wrong and what to do.
#}
{% macro refuse_sources(fault) -%}
    {%- do sync_logs.stop('sync_logs_sources ' ~ fault ~ '.') -%}
{%- endmacro %}
