select *
from sync_statistics
where organization_id = :organization_id and sync_id = :sync_id
