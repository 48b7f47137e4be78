{#
  Creates one pointer table. Without a lake, it points at the folder of its schema, which has no files:
  Spark would complain about a folder that does not exist.
  Arguments: relation; name (string): of the source, which decides what the table reads; path
  (string): root of the lake; columns (string): null for those of the source.
#}
{% macro create_pointer(relation, name, path, columns=none) -%}
    {%- set columns = columns or sync_logs.lake_columns().get(name) -%}
    {%- set folder = path ~ ('/sync_tracking_datasets' if name in ('files', 'batches') else '/metadata')
        if sync_logs.lake_source() else sync_logs.location_of('schema', sync_logs.lake_relation()) -%}
    {%- call statement() -%}
        create table if not exists {{ relation }}
        {% if columns %} ({{ columns }}) using parquet {% else %} using binaryFile {% endif %}
        options (
            {% if columns %} pathGlobFilter '*.parquet', ignoreCorruptFiles 'true', {% endif %}
            recursiveFileLookup 'true',
            path {{ sync_logs.text_literal(folder) }}
        )
        tblproperties ({{ sync_logs.pointer_properties(path) }})
    {%- endcall -%}
{%- endmacro %}

{#
  Returns the properties of each pointer table: the lake that it points at, and the schema of the
  state that was built from it.
#}
{% macro pointer_properties(path) -%}
    'sync_logs.lake_path' = {{ sync_logs.text_literal(path) }},
    'sync_logs.state_schema' = {{ sync_logs.text_literal(sync_logs.state_schema()) }}
{%- endmacro %}

{# Returns {property: value} of the pointer tables; empty if there are none yet. #}
{% macro pointer_facts() -%}
    {#-
      Spark's own catalog may forget the pointer tables when Spark ends; the catalog of all other tables
      does not forget the view
    -#}
    {%- set is_in_view = not sync_logs.engine().has_pointers or sync_logs.has_own_catalog() -%}
    {%- set relation = sync_logs.lake_location() if is_in_view else sync_logs.lake_relation('files') -%}
    {%- set facts = {} -%}
    {%- if sync_logs.table_or_view(relation) is not none -%}
        {%- for key, value in run_query('show tblproperties ' ~ relation).rows -%}
            {%- do facts.update({key: value}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(facts) }}
{%- endmacro %}

{#
  Returns a pointer table as a model reads it: in full even with `--empty`, because a subquery would
  hide `_metadata`.
  Arguments: name (string): of the source.
#}
{% macro lake_table(name) -%}
    {{ return(adapter.dispatch('lake_table', 'sync_logs')(name)) }}
{%- endmacro %}

{% macro default__lake_table(name) -%}
    {%- set declared = source('sync_logs_lake', name) -%}
    {# a unit test replaces it with fixtures, which are in no schema #}
    {{ return((sync_logs.lake_relation(name) if declared.schema and sync_logs.has_own_catalog() else declared).render()) }}
{%- endmacro %}

{#
  Returns the files under another path than that of the pointer tables, as a query reads them: in a
  table that the caller drops.
  Arguments: path (string): root of a lake.
#}
{% macro default__files_under(path) -%}
    {%- set relation = sync_logs.lake_relation('files_under_new_path') -%}
    {%- do run_query('drop table if exists ' ~ relation) -%}
    {%- do sync_logs.create_pointer(relation, 'files', path) -%}
    {{ return(relation) }}
{%- endmacro %}
