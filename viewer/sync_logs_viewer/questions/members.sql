select
    row_id,
    entered_at,
    entered_sync_run_id,
    entry_observed,
    exited_at,
    exited_sync_run_id
from audience_memberships
where
    organization_id = :organization_id
    and sync_id = :sync_id
    and (:at_micros is not null or exited_sync_run_id is null)
    and (
        :at_micros is null
        or (entered_at <= timestamp_micros(:at_micros) or entered_sync_run_id is null)
    )
    and (
        :at_micros is null
        or (exited_at is null or exited_at > timestamp_micros(:at_micros))
    )
    and (:after_identifier is null or case
        when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
        else row_id
    end > :after_identifier)
order by
    case
        when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
        else row_id
    end asc, row_id asc
limit :row_limit
