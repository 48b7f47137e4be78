{#
  How every operation on the state works (compact, prune, purge), in the same order as a build: a new
  load gets manifests of its own first, then the rows for which those name the new load instead of an
  old one, and then it is committed. Nothing that exists is changed; a kill leaves a dead load.
#}

{#
  Start of an operation: checks, and changes nothing. Returns the load that it is made from. Once it is known that
  there is something to do, the operation announces its load.
#}
{% macro begin_operation() -%}
    {%- do sync_logs.check_settings() -%}
    {%- do sync_logs.check_schema_version() -%}
    {{ return(sync_logs.committed_load_id()) }}
{%- endmacro %}

{#
  Makes the catalog know of a load from its first moment on, so that it is found even if it is killed
  before it has written a row. Argument: load_id (string).
#}
{% macro announce_load(load_id) -%}
    {%- do run_query(
        'alter table ' ~ sync_logs.state_table('int_files__planned')
        ~ " add if not exists partition (load_id = '" ~ load_id ~ "')") -%}
{%- endmacro %}

{#
  End of an operation: copies the rows that have moved, computes the answers, records the operation and publishes it.
  Arguments: operation (string), base_load_id (string).
#}
{% macro publish_operation(operation, base_load_id) -%}
    {%- do sync_logs._copy_moved_files(base_load_id) -%}
    {%- do sync_logs._copy_moved_runs(base_load_id) -%}
    {%- do sync_logs.compute_answers() -%}
    {%- do sync_logs._record_operation(operation, base_load_id) -%}
    {%- do sync_logs.commit_operation(sync_logs.operation_load_id(), base_load_id) -%}
{%- endmacro %}

{#
  Inserts rows into this load's partition of a table of the state.
  Arguments: table (string), query (SQL that has all columns of the table), replaced (mapping of column
  to SQL expression, for columns that are not taken as they are).
#}
{% macro insert_rows(table, query, replaced={}) -%}
    {%- set relation = sync_logs.state_table(table) -%}
    {%- set names = [] -%}
    {%- set values = [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) if column.name != 'load_id' -%}
        {%- do names.append(column.name) -%}
        {%- do values.append(replaced.get(column.name, 'moved.' ~ column.name) ~ ' as ' ~ column.name) -%}
    {%- endfor -%}
    {%- call statement() -%}
        insert into {{ relation }} partition (load_id = '{{ sync_logs.operation_load_id() }}')
        ({{ names | join(', ') }})
        select {{ values | join(', ') }}
        from ({{ query }}) as moved
    {%- endcall -%}
{%- endmacro %}

{# A load id of the manifest, as this operation leaves it: its own where an old load is rewritten. #}
{% macro moved_load(column, rewritten) -%}
    case
        when moved.{{ column }} in ('{{ rewritten | join("', '") }}') then '{{ sync_logs.operation_load_id() }}'
        else moved.{{ column }}
    end
{%- endmacro %}

{# Rows of lake files whose live copy is to be in this load. #}
{% macro _copy_moved_files(base_load_id) -%}
    {%- set keys = {
        'records': 'organization_id, sync_id, sync_run_id, file_name',
        'facts': 'organization_id, file_name',
        'run_metadata': 'organization_id, sync_id, sync_run_id'} -%}
    {%- set kinds = {'records': 'batch', 'facts': 'fact', 'run_metadata': 'metadata'} -%}
    {%- for entity, key in keys.items() -%}
        {%- for step in ['landed', 'recovered'] if not (entity == 'run_metadata' and step == 'recovered') -%}
            {%- set table = 'int_' ~ entity ~ '__' ~ step -%}
            {%- set query -%}
                select rows_of_files.*
                from {{ sync_logs.state_table(table) }} as rows_of_files
                inner join ({{ sync_logs._files_moved(base_load_id) }}) as files
                    on
                        rows_of_files.load_id = files.old_load_id
                        {% for column in key.split(', ') %}
                            and rows_of_files.{{ column }} = files.{{ column }}
                        {% endfor %}
                        and files.file_kind = '{{ kinds[entity] }}'
            {%- endset -%}
            {%- do sync_logs.insert_rows(
                table, query, sync_logs._without_purged() if entity == 'records' else {}) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _files_moved(base_load_id) %}
    select /*+ broadcast(new_files) */
        new_files.*,
        old_files.landed_load_id as old_load_id
    from {{ sync_logs.state_table('int_files__landed') }} as new_files
    inner join {{ sync_logs.state_table('int_files__landed') }} as old_files
        on
            new_files.relative_path = old_files.relative_path
            and old_files.load_id = '{{ base_load_id }}'
    where
        new_files.load_id = '{{ sync_logs.operation_load_id() }}'
        and new_files.landed_load_id = '{{ sync_logs.operation_load_id() }}'
{% endmacro %}

{# Rows about runs whose live copy is to be in this load. #}
{% macro _copy_moved_runs(base_load_id) -%}
    {%- set by_run = 'rows_of_runs.sync_run_id = runs.sync_run_id' -%}
    {%- set by_position = 'rows_of_runs.position = runs.position' -%}
    {%- set moves = [
        ['int_changelog__built', 'built', by_run ~ ' and not runs.is_pruned', true],
        ['int_run_counts__built', 'built', by_run, false],
        ['int_membership_events__built', 'built', by_position ~ ' and not runs.is_pruned', true],
        ['int_memberships__built', 'built', 'rows_of_runs.exited_sync_run_id = runs.sync_run_id', true],
        ['int_field_changes__built', 'built', by_run ~ ' and not runs.is_pruned', true],
        ['int_record_states__built', 'checkpoint', by_position, true],
        ['int_record_errors__built', 'checkpoint', by_position, true],
    ] -%}
    {%- for table, reference, condition, has_identifier in moves -%}
        {%- set query -%}
            select /*+ broadcast(runs) */ rows_of_runs.*
            from {{ sync_logs.state_table(table) }} as rows_of_runs
            inner join ({{ sync_logs._runs_moved(base_load_id, reference) }}) as runs
                on
                    rows_of_runs.load_id = runs.old_load_id
                    and rows_of_runs.organization_id = runs.organization_id
                    and rows_of_runs.sync_id = runs.sync_id
                    and {{ condition }}
            {% if has_identifier %}
                where not {{ sync_logs.is_purged('rows_of_runs.organization_id',
                    'rows_of_runs.sync_id', 'rows_of_runs.identifier') }}
                {{ sync_logs.search_order('rows_of_runs') }}
            {% endif %}
        {%- endset -%}
        {%- do sync_logs.insert_rows(table, query) -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _runs_moved(base_load_id, reference) %}
    select
        new_runs.*,
        old_runs.{{ reference }}_load_id as old_load_id
    from {{ sync_logs.state_table('int_runs__planned') }} as new_runs
    inner join {{ sync_logs.state_table('int_runs__planned') }} as old_runs
        on
            new_runs.organization_id = old_runs.organization_id
            and new_runs.sync_id = old_runs.sync_id
            and new_runs.sync_run_id = old_runs.sync_run_id
            and old_runs.load_id = '{{ base_load_id }}'
    where
        new_runs.load_id = '{{ sync_logs.operation_load_id() }}'
        and new_runs.{{ reference }}_load_id = '{{ sync_logs.operation_load_id() }}'
{% endmacro %}

{% macro _record_operation(operation, base_load_id) -%}
    {%- set query -%}
        select * from {{ sync_logs.state_table('int_loads__recorded') }}
        where load_id = '{{ base_load_id }}'
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_loads__recorded', query) -%}
    {%- if sync_logs.is_file_audit_on() -%}
        {%- set audited -%}
            select * from {{ sync_logs.state_table('int_files__audited') }}
            where load_id = '{{ base_load_id }}'
        {%- endset -%}
        {%- do sync_logs.insert_rows('int_files__audited', audited) -%}
    {%- endif -%}
    {%- call statement() -%}
        insert into {{ sync_logs.state_table('int_loads__recorded') }}
        partition (load_id = '{{ sync_logs.operation_load_id() }}')
        (recorded_load_id, started_at, as_of, finished_at, is_full_refresh, operation)
        select
            '{{ sync_logs.operation_load_id() }}',
            {{ sync_logs.build_started_at() }},
            {{ sync_logs.as_of() }},
            current_timestamp(),
            false,
            '{{ operation }}'
    {%- endcall -%}
{%- endmacro %}
