{#
  Query: the members of an audience at a time. Columns: organization_id, sync_id, row_id,
  audience_name, entered_at, entered_sync_run_id, entry_observed. Members from before the log began
  are included. Entries and exits of runs without any time count as later than every time.
    select * from ({{ sync_logs.members_at('2026-01-31T06:00:00Z', sync_id='42') }})
#}
{% macro members_at(at, sync_id=none, organization_id=none) -%}
    {%- do sync_logs.check_arguments('members_at', {
        'at': [at, 'time'], 'sync_id': [sync_id, 'id'], 'organization_id': [organization_id, 'id']},
        kwargs) -%}
    select
        organization_id,
        sync_id,
        row_id,
        audience_name,
        entered_at,
        entered_sync_run_id,
        entry_observed
    from {{ ref('sync_logs', 'audience_memberships') }}
    where
        (entered_at <= {{ sync_logs.time_literal(at) }} or entered_sync_run_id is null)
        and (exited_at is null or exited_at > {{ sync_logs.time_literal(at) }})
        {{ sync_logs.of_sync(sync_id, organization_id) }}
{%- endmacro %}
