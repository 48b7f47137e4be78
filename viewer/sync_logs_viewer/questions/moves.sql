select
    row_id,
    event_type,
    event_at,
    sync_run_id,
    is_observed
from audience_events
where organization_id = :organization_id and sync_id = :sync_id and event_at is not null
order by event_at desc, row_id asc, event_type asc
limit :row_limit
