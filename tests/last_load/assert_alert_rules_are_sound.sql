-- Fails with each rule for alerts that is left out, and with what is wrong with it.
-- depends_on: {{ ref('sync_logs', 'sync_alerts') }} (a leaf: it must block nothing)
select
    rule,
    severity,
    organization_id,
    sync_id,
    fault
from {{ ref('int_alert_rules__used') }}
where fault is not null
