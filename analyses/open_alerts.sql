{# What needs attention now, since when, and why? #}
with

alerts as (
    select * from {{ ref('sync_alerts') }}
    where is_open and not is_muted
)

select
    organization_id,
    sync_id,
    severity,
    rule,
    opened_at,
    message
from alerts
order by
    case severity when 'critical' then 0 else 1 end asc,
    opened_at asc,
    organization_id asc,
    sync_id asc,
    alert_id asc
