-- Fails with each critical alert that is open and not muted. A warning; with --warn-error, a gate.
{{ config(
    severity='warn',
    meta={'rows_in': 'sync_alerts', 'remedy': 'See the page of the sync, or mute the rule.'}) }}
select
    organization_id,
    sync_id,
    rule,
    opened_at,
    message
from {{ ref('sync_logs', 'sync_alerts') }}
where is_open and severity = 'critical' and not is_muted
