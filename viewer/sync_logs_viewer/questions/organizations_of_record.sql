with

rows_found as (
    select
        organization_id,
        sync_id
    from sync_records
    where
        case
            when :is_hashed then concat('sha256:', left(sha2(identifier, 256), 16))
            else identifier
        end = :identifier
    union all
    -- rows of the log can be pruned
    select
        organization_id,
        sync_id
    from sync_snapshot
    where
        case
            when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
            else row_id
        end = :identifier
    union all
    select
        organization_id,
        sync_id
    from audience_memberships
    where
        case
            when :is_hashed then concat('sha256:', left(sha2(row_id, 256), 16))
            else row_id
        end = :identifier
)

select
    organization_id,
    count(distinct sync_id) as sync_count
from rows_found
group by organization_id
order by organization_id asc
limit :row_limit
