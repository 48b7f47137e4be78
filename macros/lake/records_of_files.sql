{#
  Query: the batch files of replayed runs whose rows count, with the position of their run.
  Arguments (names of steps): files, runs: the rows of this load in int_files__landed and
  int_runs__planned.
#}
{% macro files_replayed(files, runs) %}
    select
        {{ files }}.*,
        {{ runs }}.position
    from {{ files }}
    inner join {{ runs }}
        on
            {{ files }}.organization_id = {{ runs }}.organization_id
            and {{ files }}.sync_id = {{ runs }}.sync_id
            and {{ files }}.sync_run_id = {{ runs }}.sync_run_id
    where
        {{ runs }}.is_replayed
        and {{ files }}.file_kind = 'batch'
        and {{ files }}.issue is null
{% endmacro %}

{#
  Returns a SQL condition: a logged row belongs to the live copy of a file.
  Arguments (names of steps): records: rows of the log; files: rows of int_files__landed.
#}
{% macro is_of_file(records, files) -%}
    {{ records }}.load_id = {{ files }}.landed_load_id
    and {{ records }}.organization_id = {{ files }}.organization_id
    and {{ records }}.sync_id = {{ files }}.sync_id
    and {{ records }}.sync_run_id = {{ files }}.sync_run_id
    and {{ records }}.file_name = {{ files }}.file_name
{%- endmacro %}
