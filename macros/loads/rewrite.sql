{#
  How every operation on the state works (compact, prune, purge), in the same order as a build: a
  new load gets its own manifests first, then the rows for which these name the new load instead of
  an old one, and then it is committed. Nothing that exists is changed. A killed operation leaves a
  dead load.
#}

{#
  Starts an operation: checks, and changes nothing. Once an operation knows that it has something to
  do, it announces its load.
  Returns the load that the operation starts from.
#}
{% macro begin_operation() -%}
    {%- do sync_logs.check_settings() -%}
    {%- do sync_logs.check_schema_version() -%}
    {{ return(sync_logs.committed_load_id()) }}
{%- endmacro %}

{# Lists the load of an operation before anything is written to it, and makes it the one that is being built. #}
{% macro announce_operation() -%}
    {%- do sync_logs.announce_load(sync_logs.operation_load_id()) -%}
    {%- do sync_logs.begin_load(sync_logs.operation_load_id()) -%}
{%- endmacro %}

{#
  Ends an operation: copies the moved rows and what stays the same, computes the answers, which read
  both, records the operation and publishes it.
  Arguments: operation, previous_load_id (strings); keeps_answers (boolean): the operation changes no
  row that readers see, so the answers are copied, too.
#}
{% macro publish_operation(operation, previous_load_id, keeps_answers=false) -%}
    {%- do log('Copying the rows that stay ...', info=true) -%}
    {%- do sync_logs._copy_moved_rows(previous_load_id) -%}
    {%- do sync_logs._copy_rows_of_load(previous_load_id, ['copied', 'computed'] if keeps_answers else ['copied']) -%}
    {%- if not keeps_answers -%}
        {%- do log('Computing runs, errors and alerts again ...', info=true) -%}
        {%- do sync_logs.compute_answers() -%}
    {%- endif -%}
    {%- do sync_logs._record_operation(operation) -%}
    {%- do sync_logs.commit_operation(sync_logs.operation_load_id(), previous_load_id) -%}
{%- endmacro %}

{#
  Returns a load id of the manifest as this operation leaves it: its own load if the old one is
  rewritten.
#}
{% macro moved_load(column, rewritten) -%}
    case
        when moved.{{ column }} in ('{{ rewritten | join("', '") }}') then '{{ sync_logs.operation_load_id() }}'
        else moved.{{ column }}
    end
{%- endmacro %}

{#
  Copies the rows whose live copy moves to this load, for every manifest. In a partly purged file,
  the purged rows stay, but blanked; those of a table of a source, which has no footer, do not.
#}
{% macro _copy_moved_rows(previous_load_id) -%}
    {%- set is_purged = sync_logs.is_purged('moving.organization_id', 'moving.sync_id', 'moving.identifier') -%}
    {%- for rows_of, manifest in sync_logs.manifests().items() -%}
        {%- for node in sync_logs.state_tables(rows_of) -%}
            {%- set state = node.config.meta.state -%}
            {%- set query -%}
                select /*+ broadcast(entries) */ moving.*
                from {{ sync_logs.state_table(node.name) }} as moving
                inner join ({{ sync_logs._entries_moved(previous_load_id, manifest, state) }}) as entries
                    on
                        moving.load_id = entries.old_load_id
                        and {{ sync_logs.is_of_entry(node, 'moving', 'entries') }}
                {% if state.after_purge %}
                    where {{ 'moving.source_row_count is null or ' if state.after_purge == 'blanked' }}
                        not {{ is_purged }}
                    {{ sync_logs.search_order('moving') }}
                {% endif %}
            {%- endset -%}
            {%- do sync_logs.insert_rows(
                node.name, query, sync_logs.without_purged() if state.after_purge == 'blanked' else {}) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{#
  Query: the entries of a manifest that name this load instead of another one, with that other load.
  Arguments: previous_load_id (string); manifest (mapping): one of `manifests`; state (mapping): what a
  table declares.
#}
{% macro _entries_moved(previous_load_id, manifest, state) %}
    select
        new_entries.*,
        old_entries.{{ manifest.column }} as old_load_id
    from {{ sync_logs.state_table(manifest.table) }} as new_entries
    inner join {{ sync_logs.state_table(manifest.table) }} as old_entries
        on
            old_entries.load_id = '{{ previous_load_id }}'
            {% for column in manifest.key %}
                and new_entries.{{ column }} = old_entries.{{ column }}
            {% endfor %}
    where
        new_entries.load_id = '{{ sync_logs.operation_load_id() }}'
        and new_entries.{{ manifest.column }} = '{{ sync_logs.operation_load_id() }}'
        {% if state.file_kind %} and new_entries.file_kind = '{{ state.file_kind }}' {% endif %}
        {% if state.after_prune == 'dropped' %} and not new_entries.is_pruned {% endif %}
{% endmacro %}

{#
  Copies what an operation takes over unchanged from the previous load.
  Arguments: previous_load_id (string); kinds (list of strings): values of `in_operations`.
#}
{% macro _copy_rows_of_load(previous_load_id, kinds) -%}
    {%- for node in sync_logs.state_tables('load') if node.config.meta.state.in_operations in kinds -%}
        {%- set query -%}
            select * from {{ sync_logs.state_table(node.name) }}
            where load_id = '{{ previous_load_id }}'
        {%- endset -%}
        {%- do sync_logs.insert_rows(node.name, query) -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _record_operation(operation) -%}
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
