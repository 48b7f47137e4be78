-- depends_on: {{ ref('sync_logs', 'errors_by_category') }}
-- depends_on: {{ ref('expected__errors_by_category') }}
{{ differing_from_expected('errors_by_category', [
    'sync_id', 'category', 'record_count', 'open_record_count', 'attempt_count',
]) }}
