select *
from sync_statistics
where
    (:organization_id is null or organization_id = :organization_id)
    and (:sync_id is null or sync_id = :sync_id)
order by organization_id asc, sync_id asc
