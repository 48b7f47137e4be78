{#
  Removes one identifier from every table and keeps it out: it is not read again from files that still
  hold it. The counts of the runs that held it are made anew by the next build.
    dbt run-operation purge_record --args '{organization_id: "12", identifier: "a@example.com"}'
  dbt writes its arguments into logs/dbt.log (not with --log-level-file none) and into
  target/run_results.json.
  Arguments: organization_id, identifier (strings), sync_id (string; null for all syncs).
#}
{% macro purge_record(organization_id=none, identifier=none, sync_id=none) -%}
    {%- do sync_logs.check_operation({
        'organization_id': [organization_id, 'text'], 'identifier': [identifier, 'text_or_empty']}) -%}
    {%- set base_load_id = sync_logs.begin_operation() -%}
    {%- do sync_logs.check_scope(base_load_id, organization_id, sync_id) -%}
    {%- set scope = [organization_id] + ([sync_id] if sync_id is not none else []) -%}
    {%- call statement() -%}
        insert into {{ sync_logs.committed('purged_records') }}
        partition (load_id = '{{ sync_logs.load_id() }}')
        select
            {{ sync_logs.text_literal(organization_id) }},
            {{ sync_logs.text_literal(sync_id) if sync_id is not none else 'cast(null as string)' }},
            '{{ local_md5((scope + [identifier]) | join('/')) }}',
            {{ sync_logs.build_started_at() }}
    {%- endcall -%}
    {%- set rewritten = run_query(sync_logs._loads_with_purged()).columns[0].values() | list -%}
    {%- set runs = run_query(sync_logs._runs_with_purged()).rows -%}
    {%- set held = [] -%}
    {%- for row in runs -%}
        {%- do held.append('struct(' ~ sync_logs.text_literal(row[0]) ~ ', '
            ~ sync_logs.text_literal(row[1]) ~ ', ' ~ sync_logs.text_literal(row[2]) ~ ')') -%}
    {%- endfor -%}
    {%- set is_held = ('struct(moved.organization_id, moved.sync_id, moved.sync_run_id) in ('
        ~ held | join(', ') ~ ')') if held else 'false' -%}
    {%- do sync_logs.rewrite_manifests(base_load_id, rewritten, {
        'is_recount_due':
            'coalesce(moved.is_recount_due, false) or (not coalesce(moved.is_pruned, false) and '
            ~ is_held ~ ')'}) -%}
    {%- do sync_logs.publish_operation('purge', base_load_id) -%}
    {%- do sync_logs._collect(sync_logs._live_references(false)) -%}
    {%- do log(
        'Purged one identifier of organization ' ~ organization_id ~ ' from ' ~ runs | length
        ~ ' runs. The next `dbt build` counts these runs anew.', info=true) -%}
{%- endmacro %}

{# Query: loads that hold a row of what is purged, live or not. #}
{% macro _loads_with_purged() %}
    {% for table in ['int_records__landed', 'int_records__recovered', 'int_changelog__built',
        'int_membership_events__built', 'int_memberships__built', 'int_field_changes__built',
        'int_record_states__built', 'int_record_errors__built'] %}
        select distinct load_id
        from {{ sync_logs.state_table(table) }}
        where {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }}
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}

{% macro _runs_with_purged() %}
    {% for table in ['int_records__landed', 'int_records__recovered'] %}
        select distinct organization_id, sync_id, sync_run_id
        from {{ sync_logs.state_table(table) }}
        where {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }}
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}
