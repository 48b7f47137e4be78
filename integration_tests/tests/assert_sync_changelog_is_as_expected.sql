-- depends_on: {{ ref('sync_logs', 'sync_changelog') }}
-- depends_on: {{ ref('expected__sync_changelog') }}
{{ differing_from_expected('sync_changelog', [
    'sync_id', 'sync_run_id', 'row_id', 'op_type', 'status', 'failure_reason',
]) }}
