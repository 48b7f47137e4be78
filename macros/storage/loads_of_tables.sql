{# Returns the loads that a table has. #}
{% macro loads_in(relation) -%}
    {%- if sync_logs.has_commit_log() -%}
        {{ return(run_query('select distinct load_id from ' ~ relation).columns[0].values() | list) }}
    {%- endif -%}
    {%- set found = [] -%}
    {%- for row in run_query('show partitions ' ~ relation).rows -%}
        {%- do found.append(row[0].split('=', 1)[1]) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  Drops loads from a table.
  Arguments: relation; load_ids (list of strings).
#}
{% macro drop_loads(relation, load_ids) -%}
    {%- if load_ids and not sync_logs.has_commit_log() -%}
        {%- do run_query(
            'alter table ' ~ relation ~ " drop if exists partition (load_id = '"
            ~ load_ids | join("'), partition (load_id = '") ~ "')") -%}
    {%- elif load_ids -%}
        {%- do run_query(
            'delete from ' ~ relation ~ " where load_id in ('" ~ load_ids | join("', '") ~ "')") -%}
    {%- endif -%}
{%- endmacro %}

{#
  Lists a load in the state from its first moment on, so that it is found even if it is killed
  before it has written a row. In a table with a log of commits, the mark is a row. A build needs
  none there: its list of files is the first thing that it writes.
  Arguments: load_id (string).
#}
{% macro announce_load(load_id) -%}
    {%- set listed = sync_logs.state_table('int_files__planned') -%}
    {%- if not sync_logs.has_commit_log() -%}
        {%- do run_query(
            'alter table ' ~ listed ~ " add if not exists partition (load_id = '" ~ load_id ~ "')") -%}
    {%- elif load_id != sync_logs.load_id() or not sync_logs.is_building() -%}
        {%- do run_query(
            'insert into ' ~ listed ~ " partition (load_id = '" ~ load_id ~ "') (relative_path) values ('')") -%}
    {%- endif -%}
{%- endmacro %}

{# Lists folders that a killed build has left and that the catalog does not know yet. #}
{% macro list_lost_loads(relation) -%}
    {%- if not sync_logs.has_commit_log() -%}
        {%- do run_query('msck repair table ' ~ relation) -%}
    {%- endif -%}
{%- endmacro %}
