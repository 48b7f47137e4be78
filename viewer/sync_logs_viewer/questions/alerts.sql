select
    organization_id,
    sync_id,
    alert_id,
    rule,
    severity,
    worst_severity,
    is_open,
    is_muted,
    opened_at,
    opened_sync_run_id,
    worsened_at,
    worsened_sync_run_id,
    resolved_at,
    resolved_sync_run_id,
    value,
    value_sync_run_id,
    threshold,
    failure_pattern,
    -- the name under which masks know identifiers in a list
    sample as sample_identifiers,
    message,
    data_until_at,
    source_name,
    vendor
from sync_alerts
where
    (
        is_open
        or (
            not :is_open_only
            and (:since_micros is null or resolved_at >= timestamp_micros(:since_micros))
        )
    )
    and (:organization_id is null or organization_id = :organization_id)
    and (:sync_id is null or sync_id = :sync_id)
order by
    is_open desc,
    is_open and is_muted asc,
    case severity when 'critical' then 0 else 1 end asc,
    -- those that are open: the longest first; those that ended: the last first
    case when is_open then opened_at end asc nulls first,
    resolved_at desc nulls last,
    organization_id asc,
    sync_id asc,
    alert_id asc
limit :row_limit
