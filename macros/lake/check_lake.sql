{#
  Stops a build that would mix two lakes in one warehouse. A lake under another path, through a link
  or after a move, is the same lake if it has a file that was read from it, with the same place in
  it, size and time.
  Arguments: known_path, path (strings): the path of the existing pointer tables, and that of this
  build.
#}
{% macro check_lake_is_known(known_path, path) -%}
    {%- set asked = adapter.dispatch('files_under', 'sync_logs')(path) -%}
    {%- set load_id = sync_logs.committed_load_id() if sync_logs.table_or_view(sync_logs.state_table('sync_load_current')) is not none -%}
    {%- set has_files = run_query('select 1 from ' ~ asked ~ ' limit 1').rows | length > 0 -%}
    {%- set is_same = not load_id or var('sync_logs_lake_moved')
        or run_query(sync_logs._known_files_query(asked, load_id)).rows | length > 0 -%}
    {%- if sync_logs.engine().has_pointers -%}
        {%- do run_query('drop table if exists ' ~ asked) -%}
    {%- endif -%}
    {%- if not has_files -%}
        {%- do sync_logs.stop_without_lake() -%}
    {%- elif not is_same -%}
        {%- do sync_logs.stop(
            'The schema ' ~ sync_logs.mart_schema() ~ ' was built from the lake ' ~ known_path ~ ', and ' ~ path
            ~ ' is another one. Build another lake into another '
            ~ ('folder (SYNC_LOGS_HOME) or schema (SYNC_LOGS_SCHEMA)' if sync_logs.is_clone() else 'target schema')
            ~ '; if it is a copy of the same lake, build once with --vars "sync_logs_lake_moved: true".') -%}
    {%- endif -%}
{%- endmacro %}

{# Query: one row if a file that a load has read is under the new path. #}
{% macro _known_files_query(asked, load_id) %}
    with

    files as (
        select
            array_join(slice(split(path, '/'), -4, 4), '/') as path_in_folder,
            length as file_size,
            modificationTime as file_modified_at
        from {{ asked }}
    ),

    known_files as (
        select * from {{ sync_logs.state_table('int_files__landed') }}
        where load_id = '{{ load_id }}' and is_in_lake
    )

    select files.path_in_folder
    from files
    inner join known_files
        on
            concat('sync_tracking_datasets/', files.path_in_folder) = known_files.relative_path
            and files.file_size = known_files.file_size
            and files.file_modified_at = known_files.file_modified_at
    limit 1
{% endmacro %}

{# Stops a build on a lake without files, before anything is written. #}
{% macro check_lake() -%}
    {%- set found = run_query('select 1 from ' ~ sync_logs.lake_table('files') ~ ' limit 1') -%}
    {%- if found.rows | length == 0 -%}
        {%- do sync_logs.stop_without_lake() -%}
    {%- endif -%}
{%- endmacro %}

{% macro stop_without_lake() -%}
    {%- do sync_logs.stop(
        'No file under ' ~ sync_logs.lake_path() ~ '/sync_tracking_datasets. Set the var sync_logs_lake_path'
        ~ (' or SYNC_LOGS_LAKE_PATH' if sync_logs.is_clone()) ~ ' to the root of a lake.') -%}
{%- endmacro %}
