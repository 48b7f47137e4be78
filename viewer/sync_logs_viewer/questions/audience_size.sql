select
    count_if(
        (entered_at <= timestamp_micros(:at_micros) or entered_sync_run_id is null)
        and (exited_at is null or exited_at > timestamp_micros(:at_micros))
    ) as member_count
from audience_memberships
where organization_id = :organization_id and sync_id = :sync_id
