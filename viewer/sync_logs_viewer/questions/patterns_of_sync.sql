with

patterns_ranked as (
    select
        *,
        count(*) over (partition by organization_id, sync_id) as pattern_count,
        row_number() over (
            partition by organization_id, sync_id
            order by open_record_count desc, record_count desc, rank_in_sync asc
        ) as place_in_sync
    from error_patterns
    where
        (:organization_id is null or organization_id = :organization_id)
        and (:sync_id is null or sync_id = :sync_id)
)

select *
from patterns_ranked
where place_in_sync <= :rows_by_sync
order by organization_id asc, sync_id asc, place_in_sync asc
