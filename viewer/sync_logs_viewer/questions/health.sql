select
    organization_id,
    sync_id,
    health,
    open_alert_count,
    open_critical_count,
    unhealthy_since_at
from sync_health
where
    (:organization_id is null or organization_id = :organization_id)
    and (:sync_id is null or sync_id = :sync_id)
order by organization_id asc, sync_id asc
