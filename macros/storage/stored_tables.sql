{#
  Creates a table that is partitioned by load.
  Arguments: relation; columns (list): each has a `name` and a `data_type`.
#}
{% macro create_stored_table(relation, columns) -%}
    {%- call statement() -%}
        create table if not exists {{ relation }} (
            {% for column in columns -%}
                {{ column.name }} {{ column.data_type }},
            {% endfor -%}
            load_id string
        )
        {{ sync_logs._stored_by() }}
    {%- endcall -%}
{%- endmacro %}

{#
  Returns what follows the columns in `create table`. A search for one record reads the pages that
  can contain it, and the whole dictionary of each column. Pages therefore have few rows, and only
  columns with few values have dictionaries. The log of commits has no statistics of columns,
  because a purge does not rewrite the log.
#}
{% macro _stored_by() -%}
    using {{ sync_logs.file_format() }}
    {% if sync_logs.file_format() == 'parquet' -%}
        options ('parquet.page.row.count.limit' = '2000', 'parquet.dictionary.page.size' = '65536')
        partitioned by (load_id)
    {%- elif sync_logs.file_format() == 'delta' -%}
        partitioned by (load_id)
        tblproperties (
            'delta.dataSkippingNumIndexedCols' = '0',
            'delta.deletedFileRetentionDuration' = 'interval 0 hours',
            'delta.logRetentionDuration' = 'interval 1 days'
        )
    {%- else -%}
        {#- a build inserts into one partition; Iceberg would send all of its rows to one task #}
        partitioned by (load_id)
        tblproperties (
            'format-version' = '2',
            'write.distribution-mode' = 'none',
            'write.spark.fanout.enabled' = 'true',
            'write.parquet.page-row-limit' = '2000',
            'write.parquet.dict-size-bytes' = '65536',
            'write.metadata.metrics.default' = 'counts',
            'write.metadata.delete-after-commit.enabled' = 'true',
            'write.metadata.previous-versions-max' = '10'
        )
    {%- endif %}
{%- endmacro %}

{#
  Returns whether a relation, as dbt listed it, is a table of the state. dbt replaces a parquet table
  with one that has no partitions. In the other formats, dbt's list does not tell.
#}
{% macro is_load_table(relation) -%}
    {%- set information = relation.information or '' -%}
    {{ return(not relation.is_view
        and (sync_logs.has_commit_log() or 'Provider:' not in information
            or 'Partition Columns: [`load_id`]' in information)) }}
{%- endmacro %}
