{#
  Ends the growth of a log of commits to which every build adds. Delta does so on its own: with each
  tenth commit it deletes entries that are older than a day.
#}
{% macro shorten_log(relation) -%}
    {%- if sync_logs.file_format() == 'iceberg'
        and run_query('select count(*) from ' ~ relation ~ '.snapshots').rows[0][0] > 20 -%}
        {%- do sync_logs.erase_dropped(relation, false) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Deletes the files of dropped rows, which a log of commits keeps.
  Arguments: relation; is_alone (boolean): whether no build writes at this moment. Then the files of
  killed builds go too, whatever their age. Otherwise Delta keeps files of the last day.
#}
{% macro erase_dropped(relation, is_alone) -%}
    {%- if sync_logs.file_format() == 'delta' -%}
        {%- do run_query('vacuum ' ~ relation ~ ' retain ' ~ (0 if is_alone else 24) ~ ' hours') -%}
    {%- elif sync_logs.file_format() == 'iceberg' -%}
        {%- set table = "table => '" ~ relation ~ "'" -%}
        {#- in the time zone of the session -#}
        {%- set now = run_query('select cast(current_timestamp() as string)').rows[0][0] -%}
        {%- do run_query(
            'call `' ~ sync_logs.table_catalog() ~ '`.system.expire_snapshots(' ~ table
            ~ ", older_than => timestamp '" ~ now ~ "', retain_last => 1)") -%}
        {%- if is_alone -%}
            {%- do sync_logs._remove_orphan_files(relation, table) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#
  Deletes what killed writes have left of a parquet table outside its loads. A write collects its
  files in the folder `_temporary` and deletes the whole folder at its end, even if it has no rows.
  Arguments: relation; load_id (string): gets an empty partition.
#}
{% macro remove_unfinished(relation, load_id) -%}
    {%- if not sync_logs.has_commit_log() -%}
        {%- set names = adapter.get_columns_in_relation(relation)
            | map(attribute='name') | reject('eq', 'load_id') | join(', ') -%}
        {%- do run_query(
            'insert into ' ~ relation ~ " partition (load_id = '" ~ load_id ~ "') (" ~ names ~ ') select ' ~ names
            ~ ' from ' ~ relation ~ ' where false') -%}
    {%- endif -%}
{%- endmacro %}

{#
  Deletes files that no snapshot of an Iceberg table has. Iceberg refuses to delete files of the
  last day from its own listing, because a running build may be writing them. From a given listing
  it deletes those that the listing calls old.
#}
{% macro _remove_orphan_files(relation, table) -%}
    {%- set files = relation.identifier ~ '__on_disk' -%}
    {%- do run_query(
        'create or replace temporary view ' ~ files ~ " using binaryFile options (recursiveFileLookup 'true', path "
        ~ sync_logs.text_literal(sync_logs.location_of('table', relation)) ~ ')') -%}
    {%- do run_query(
        'create or replace temporary view ' ~ files ~ '_listed as '
        ~ "select path as file_path, timestamp '1970-01-02' as last_modified from " ~ files) -%}
    {%- do run_query(
        'call `' ~ sync_logs.table_catalog() ~ '`.system.remove_orphan_files(' ~ table ~ ", file_list_view => '" ~ files ~ "_listed')") -%}
    {%- do run_query('drop view ' ~ files ~ '_listed') -%}
    {%- do run_query('drop view ' ~ files) -%}
{%- endmacro %}

{#
  Returns the folder of a schema or a table.
  Arguments: kind (string): schema or table; relation.
#}
{% macro location_of(kind, relation) -%}
    {%- for row in run_query('describe ' ~ kind ~ ' extended ' ~ relation).rows if row[0] == 'Location' -%}
        {{ return(row[1]) }}
    {%- endfor -%}
{%- endmacro %}
