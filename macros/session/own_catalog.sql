{#
  With the format iceberg, Spark's default catalog (`spark.sql.defaultCatalog`) can be one of
  Iceberg, for instance behind a REST server. dbt-spark names no catalogs: all its relations are in the
  default one. Only `spark_catalog`, Spark's own, has tables that point at files of other formats.
#}

{# Returns the name of the default catalog; only with the format iceberg can it be another one. #}
{% macro table_catalog() -%}
    {%- if execute and var('sync_logs_file_format') == 'iceberg' -%}
        {{ return(run_query('select current_catalog()').rows[0][0]) }}
    {%- endif -%}
    {{ return('spark_catalog') }}
{%- endmacro %}

{# Returns whether the tables are in another catalog than Spark's own. #}
{% macro has_own_catalog() -%}
    {{ return(sync_logs.table_catalog() != 'spark_catalog') }}
{%- endmacro %}

{#
  Returns a table or view as `load_relation` does. dbt-spark does not list views of another catalog:
  when one is looked for, dbt's cache gets all of its schema.
  Arguments: relation.
#}
{% macro table_or_view(relation) -%}
    {%- set found = load_relation(relation) -%}
    {%- if found is not none or not sync_logs.has_own_catalog()
        or not adapter.check_schema_exists(relation.database, relation.schema) -%}
        {{ return(found) }}
    {%- endif -%}
    {%- for row in run_query('show views in ' ~ relation.without_identifier()).rows -%}
        {%- do adapter.cache_added(relation.incorporate(path={'identifier': row[1]}, type='view')) -%}
    {%- endfor -%}
    {{ return(load_relation(relation)) }}
{%- endmacro %}
