select
    *,
    count(*) over () as reason_count
from errors_by_sync
where organization_id = :organization_id and sync_id = :sync_id
order by rank_in_sync asc
limit :row_limit
