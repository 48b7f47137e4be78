with

records as (
    select
        organization_id,
        sync_id,
        identifier
    from sync_records
    union all
    -- rows of the log can be pruned
    select
        organization_id,
        sync_id,
        row_id as identifier
    from sync_snapshot
    union all
    select
        organization_id,
        sync_id,
        row_id as identifier
    from audience_memberships
)

select
    organization_id,
    count(distinct sync_id) as sync_count
from records
where
    case
        when :is_hashed then concat('sha256:', left(sha2(identifier, 256), 16))
        else identifier
    end = :identifier
group by organization_id
order by organization_id asc
limit :row_limit
