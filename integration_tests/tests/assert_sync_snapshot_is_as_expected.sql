-- depends_on: {{ ref('sync_logs', 'sync_snapshot') }}
-- depends_on: {{ ref('expected__sync_snapshot') }}
{{ differing_from_expected('sync_snapshot', [
    'sync_id', 'row_id', 'op_type', 'status', 'failure_reason', 'is_delivered',
]) }}
