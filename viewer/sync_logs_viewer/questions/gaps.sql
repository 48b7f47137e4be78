select
    organization_id,
    sync_id,
    gap,
    reason,
    record_count,
    sample_identifiers,
    since_at,
    data_until_at
from identifier(:relation)
where
    (:organization_id is null or organization_id = :organization_id)
    and (:sync_id is null or sync_id = :sync_id)
order by organization_id asc, sync_id asc, gap = 'none' asc, record_count desc, gap asc, reason asc
limit :row_limit
