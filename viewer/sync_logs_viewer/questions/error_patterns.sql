with

patterns_counted as (
    select
        *,
        count_if(open_record_count > 0) over () as failing_pattern_count
    from error_patterns
    where
        (:organization_id is null or organization_id = :organization_id)
        and (:sync_id is null or sync_id = :sync_id)
        and (:category is null or category = :category)
        and (:failure_pattern is null or coalesce(failure_pattern, '') = :failure_pattern)
),

patterns_placed as (
    select
        *,
        count(*) over () as pattern_count,
        row_number() over (
            order by
                case when :sort = 'records' then record_count end desc nulls last,
                case when :sort = 'last_seen' then last_seen_at end desc nulls last,
                case when :sort = 'first_seen' then first_seen_at end desc nulls last,
                open_record_count desc,
                record_count desc,
                organization_id asc,
                sync_id asc,
                rank_in_sync asc
        ) as place
    from patterns_counted
    where
        :status = 'all'
        or open_record_count > 0
        -- if nobody chose: those that fail now, unless there are none
        or (:status is null and failing_pattern_count = 0)
)

select *
from patterns_placed
where place > :after_place
order by place asc
limit :row_limit
