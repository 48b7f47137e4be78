select
    *,
    count(*) over () as error_count
from errors_by_sync
where
    (:organization_id is null or organization_id = :organization_id)
    and (:sync_id is null or sync_id = :sync_id)
    and (:category is null or category = :category)
    and (:failure_pattern is null or coalesce(failure_pattern, '') = :failure_pattern)
order by
    open_record_count desc,
    record_count desc,
    organization_id asc,
    sync_id asc,
    rank_in_sync asc
limit :row_limit
