{#
  Removes one identifier from every table and keeps it out: it is not read again from files that
  still have it. The next build recounts the runs that had it.
    dbt run-operation purge_record --args '{organization_id: "12", identifier: "a@example.com"}'
  An identifier that no table has is most often misspelt, so it is refused. With in_advance it is
  kept out anyway, for files that are yet to arrive.
  dbt writes its arguments to logs/dbt.log (not with --log-level-file none) and to
  target/run_results.json.
#}
{% macro purge_record(organization_id=none, identifier=none, sync_id=none, in_advance=false) -%}
    {%- do sync_logs.check_operation('purge_record', {
        'organization_id': [organization_id, 'text'], 'identifier': [identifier, 'text_or_empty'],
        'sync_id': [sync_id, 'id'], 'in_advance': [in_advance, 'boolean']}, kwargs) -%}
    {%- set previous_load_id = sync_logs.begin_operation() -%}
    {%- set is_held = run_query(sync_logs.holds_record(organization_id, identifier, sync_id)).rows | length > 0 -%}
    {%- set scope = [organization_id] + ([sync_id] if sync_id is not none else []) -%}
    {%- set identifier_hash = local_md5((scope + [identifier]) | join('/')) -%}
    {%- set where = ('sync ' ~ sync_id ~ ' of ' if sync_id is not none else '') ~ 'organisation '
        ~ organization_id -%}
    {%- if is_held or not sync_logs.is_kept_out(identifier_hash, sync_id) -%}
        {%- if not is_held and not in_advance -%}
            {%- do sync_logs.check_scope(previous_load_id, organization_id, sync_id) -%}
            {#- the identifier must not be in a log -#}
            {%- do exceptions.raise_compiler_error(
                'No table holds this identifier of ' ~ where ~ ', so nothing was erased and nothing was changed. Write '
                ~ 'it as sync_records shows it; to keep out one that is still to come, add in_advance: true to --args.'
                ) -%}
        {%- endif -%}
        {%- do log('Removing one identifier of ' ~ where ~ ' from all tables and their files ...', info=true) -%}
        {%- set run_count = sync_logs._purge(previous_load_id, organization_id, sync_id, identifier_hash) -%}
        {%- do log(
            ('Purged one identifier of ' ~ where ~ ' from ' ~ run_count ~ ' runs. '
            ~ ('The next `dbt build` counts these runs again.' if run_count else
                'No recorded run had a row of it; everything computed from it was removed.')
            if is_held else
                'No table held this identifier of ' ~ where ~ '; it is kept out from now on.')
            ~ sync_logs._of_stored_failures() ~ sync_logs._of_copies(), info=true) -%}
    {%- else -%}
        {%- do log(
            'This identifier of ' ~ where ~ ' is kept out already, and no table holds it. Nothing was changed.'
            ~ sync_logs._of_stored_failures(), info=true) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Erases the rows with this hash and publishes the state without them.
  Arguments: previous_load_id, organization_id, identifier_hash (strings); sync_id (string): null for
  all syncs.
  Returns the number of runs that had such rows.
#}
{% macro _purge(previous_load_id, organization_id, sync_id, identifier_hash) -%}
    {%- do sync_logs.announce_operation() -%}
    {%- call statement() -%}
        insert into {{ sync_logs.committed('purged_records') }}
        partition (load_id = '{{ sync_logs.load_id() }}')
        select
            {{ sync_logs.text_literal(organization_id) }},
            {{ sync_logs.text_literal(sync_id) if sync_id is not none else 'cast(null as string)' }},
            '{{ identifier_hash }}',
            {{ sync_logs.build_started_at() }}
    {%- endcall -%}
    {%- set rewritten = run_query(sync_logs.found_with_purged('load_id')).columns[0].values() | list -%}
    {%- set runs = run_query(
        sync_logs.found_with_purged('organization_id, sync_id, sync_run_id', rows_of='file')).rows -%}
    {%- set held = [] -%}
    {%- for row in runs -%}
        {%- do held.append('struct(' ~ sync_logs.text_literals(row) ~ ')') -%}
    {%- endfor -%}
    {%- set is_held = ('struct(moved.organization_id, moved.sync_id, moved.sync_run_id) in ('
        ~ held | join(', ') ~ ')') if held else 'false' -%}
    {%- do sync_logs.rewrite_manifests(previous_load_id, rewritten, {
        'is_recount_due':
            'coalesce(moved.is_recount_due, false) or (not coalesce(moved.is_pruned, false) and '
            ~ is_held ~ ')'}) -%}
    {%- do sync_logs.publish_operation('purge', previous_load_id) -%}
    {%- do log('Erasing the files of the old rows ...', info=true) -%}
    {%- do sync_logs.collect(sync_logs.live_references(false), true) -%}
    {{ return(runs | length) }}
{%- endmacro %}

{#
  Drops the tables of failing rows that tests of this package's tables have stored (`store_failures`),
  because any of them may hold the identifier. The next test writes its table again.
  Returns a message about it.
#}
{% macro _of_stored_failures() -%}
    {%- set dropped = [] -%}
    {%- set schemas = {} -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'test' and (node.package_name == 'sync_logs'
            or 'model.sync_logs.' in node.depends_on.nodes | join(' ')) -%}
        {%- set stored = sync_logs.table_of(node) -%}
        {%- if stored.schema not in schemas -%}
            {%- do schemas.update({stored.schema: adapter.check_schema_exists(stored.database, stored.schema)}) -%}
        {%- endif -%}
        {%- set found = load_relation(stored) if schemas[stored.schema] -%}
        {%- if found and found.is_table -%}
            {%- do adapter.drop_relation(found) -%}
            {%- do dropped.append(node.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(' Dropped what ' ~ dropped | length ~ ' tests had stored of failing rows.' if dropped else '') }}
{%- endmacro %}

{#
  Returns a message about what a purge cannot reach: tables that a project has built in place of the
  package's views. Each is a copy of what the last build saw.
#}
{% macro _of_copies() -%}
    {%- set copies = graph.nodes.values()
        | selectattr('resource_type', 'eq', 'model') | selectattr('package_name', 'eq', 'sync_logs')
        | selectattr('config.materialized', 'in', ['table', 'incremental']) | map(attribute='name') | list -%}
    {{ return(' Tables in place of views still hold it (' ~ copies | sort | join(', ')
        ~ '): run `dbt build` now to write them again.' if copies else '') }}
{%- endmacro %}
