-- depends_on: {{ ref('sync_logs', 'audience_memberships') }}
-- depends_on: {{ ref('expected__audience_memberships') }}
{{ differing_from_expected('audience_memberships', [
    'sync_id', 'row_id', 'audience_name', 'entered_sync_run_id', 'entered_at',
    'exited_sync_run_id', 'exited_at', 'entry_observed',
]) }}
