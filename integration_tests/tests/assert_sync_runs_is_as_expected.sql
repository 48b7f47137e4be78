-- depends_on: {{ ref('sync_logs', 'sync_runs') }}
-- depends_on: {{ ref('expected__sync_runs') }}
{{ differing_from_expected('sync_runs', [
    'sync_id', 'sync_run_id', 'status', 'num_planned_add', 'num_planned_change',
    'num_planned_remove', 'num_succeeded_add', 'num_succeeded_change',
    'num_succeeded_remove', 'num_failed_add', 'num_failed_change', 'num_failed_remove',
]) }}
