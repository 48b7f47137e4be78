{#
  Stops the run with a message. A run that is refused before there is a state leaves nothing behind:
  dbt creates the schemas of a project before it runs any hook, so schemas that are empty and still
  as dbt creates them are dropped. In another catalog than Spark's, they stay: it does not tell that a
  schema is new.
  Arguments: message (string): what is wrong and what to do, in one or two sentences.
#}
{% macro stop(message) -%}
    {%- if execute and flags.WHICH in ('build', 'run', 'retry', 'test') and not sync_logs.has_manifests()
        and not sync_logs.has_own_catalog() -%}
        {%- do sync_logs._drop_pointers() -%}
        {%- for schema in sync_logs.written_schemas() + [sync_logs.lake_schema() | lower] -%}
            {%- do sync_logs._drop_if_new(schema) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do exceptions.raise_compiler_error(message) -%}
{%- endmacro %}

{% macro _drop_pointers() -%}
    {%- set schema = sync_logs.lake_relation() -%}
    {%- if adapter.check_schema_exists(schema.database, schema.schema) -%}
        {%- if sync_logs.engine().has_pointers -%}
            {%- for name in sync_logs.lake_pointers() -%}
                {%- do run_query('drop table if exists ' ~ sync_logs.lake_relation(name)) -%}
            {%- endfor -%}
        {%- else -%}
            {%- do run_query('drop view if exists ' ~ sync_logs.lake_location()) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  Drops a schema if it is empty, has no comment, properties or location of its own, and belongs to
  this user.
#}
{% macro _drop_if_new(schema) -%}
    {%- set found_in = api.Relation.create(database=sync_logs.state_catalog(), schema=schema) -%}
    {%- if adapter.check_schema_exists(found_in.database, schema)
        and not run_query('show tables in ' ~ found_in).rows -%}
        {%- set found = {} -%}
        {%- for name, value in run_query('describe schema extended ' ~ found_in).rows -%}
            {%- do found.update({name: value or ''}) -%}
        {%- endfor -%}
        {%- if not found.get('Comment') and not found.get('Properties')
            and (found.get('Location') or '').endswith('/' ~ schema ~ '.db')
            and found.get('Owner') == run_query('select current_user()').rows[0][0] -%}
            {%- do run_query('drop schema if exists ' ~ found_in ~ ' restrict') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
