{#
  Query in parentheses: the lines of the history or of the dead letters of drt as `value`, each with the
  sync after which drt names its file. Spark reads them as text, which needs no schema: a file may be
  empty, its last line may be cut, and a folder may be missing. A view of the user has the sync as a
  column.
  Arguments: source; table (string): history or dlq.
#}
{% macro drt_lines(source, table) -%}
    {%- set columns = sync_logs.source_columns(source, table) -%}
    {%- set relation = sync_logs.source_relation(source, table) -%}
    {%- if not columns -%}
        (select 'none' as sync_id, 'none' as value where false)
    {%- elif 'sync_id' in columns -%}
        (select sync_id, value from {{ relation }})
    {%- else -%}
        (
            select
                -- paths are URI-encoded. A plus sign in them is a plus sign, but url_decode reads a space
                url_decode(replace(
                    regexp_extract(_metadata.file_path, '([^/]*)[.]jsonl$', 1), '+', '%2B'
                )) as sync_id,
                value
            from {{ relation }}
            -- the folder also has locks, and copies that are about to replace a file
            where _metadata.file_path like '%.jsonl'
        )
    {%- endif -%}
{%- endmacro %}
