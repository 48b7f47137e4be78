{# Returns the columns of `int_sources__known` that say what is true of a source. #}
{% macro source_fact_names() -%}
    {{ return(['source_name', 'vendor', 'payload_kind', 'logs_invalid_records', 'logs_succeeded_records']) }}
{%- endmacro %}

{#
  Returns {fact: SQL literal} of a source in the settings.
  Arguments: source: from `sources`.
#}
{% macro facts_of_source(source) -%}
    {%- set facts = {'source_name': source.name} -%}
    {%- do facts.update(sync_logs.facts_of_source_type(source.type)) -%}
    {%- set literals = {} -%}
    {%- for name in sync_logs.source_fact_names() -%}
        {%- set value = facts[name] -%}
        {%- do literals.update({name: 'cast(null as string)' if value is none
            else value | lower if value is boolean else sync_logs.text_literal(value)}) -%}
    {%- endfor -%}
    {{ return(literals) }}
{%- endmacro %}

{#
  Returns what is true of all sources of a type: `vendor`, `payload_kind`, `logs_invalid_records` and
  `logs_succeeded_records`, by default the type, null, false and true, and `instead_of`: {needed table:
  {table that replaces it: its needed columns}}. The models of an adapter declare it in their `meta`, as `source: {vendor: ...}`.
  Arguments: type (string).
#}
{% macro facts_of_source_type(type) -%}
    {%- if type == 'census_lake' -%}
        {{ return({'vendor': 'census', 'payload_kind': 'source_record', 'logs_invalid_records': true,
            'logs_succeeded_records': true}) }}
    {%- endif -%}
    {%- set facts = {'vendor': type, 'payload_kind': none, 'logs_invalid_records': false,
        'logs_succeeded_records': true, 'instead_of': {}} -%}
    {%- for node in sync_logs.models_of_source_type(type) -%}
        {%- do facts.update(node.config.meta.get('source', {})) -%}
    {%- endfor -%}
    {{ return(facts) }}
{%- endmacro %}

{#
  Returns {table: {column: needed or optional}} of a type of source, as its models declare them.
  Arguments: type (string).
#}
{% macro tables_read_of(type) -%}
    {%- set tables = {} -%}
    {%- for node in sync_logs.models_of_source_type(type) -%}
        {%- for table, columns in node.config.meta.get('reads', {}).items() -%}
            {%- do tables.setdefault(table, {}).update(columns) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(tables) }}
{%- endmacro %}

{# Returns the models of the adapter of a type, in this package or in the project that uses it. #}
{% macro models_of_source_type(type) -%}
    {%- set found = [] -%}
    {%- for node in (graph.nodes.values() if execute else [])
        if node.resource_type == 'model' and node.name.startswith('int_' ~ type ~ '__') -%}
        {%- do found.append(node) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  Returns the fact tables that a source has: those that its adapter declares and that exist.
  Arguments: source: from `table_sources`.
#}
{% macro fact_tables_of(source) -%}
    {%- set found = [] -%}
    {%- for table in ['source_objects', 'destinations', 'destination_objects']
        if table in sync_logs.tables_read_of(source.type)
        and 'id' in sync_logs.source_columns(source, table) -%}
        {%- do found.append(table) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  Returns whether a table of a source is missing, and other tables of the source replace it.
  Arguments: source; table (string): the vendor's name.
#}
{% macro is_replaced(source, table) -%}
    {%- set instead_of = sync_logs.facts_of_source_type(source.type).instead_of -%}
    {{ return(not sync_logs.source_columns(source, table) and table in instead_of
        and sync_logs.has_columns(source, instead_of[table])) }}
{%- endmacro %}
