with

categories as (
    select * from errors_by_category
    where
        (:organization_id is null or organization_id = :organization_id)
        and (:sync_id is null or sync_id = :sync_id)
        and (:category is null or category = :category)
),

categories_summed as (
    select
        organization_id,
        category,
        max(is_transient) as is_transient,
        max(hint) as hint,
        count(distinct sync_id) as sync_count,
        sum(record_count) as record_count,
        sum(open_record_count) as open_record_count,
        sum(attempt_count) as attempt_count,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at
    from categories
    group by organization_id, category
)

select *
from categories_summed
order by open_record_count desc, record_count desc, organization_id asc, category asc
limit :row_limit
