select
    category,
    count(*) as pattern_count,
    count_if(open_record_count > 0) as failing_pattern_count
from error_patterns
where
    (:organization_id is null or organization_id = :organization_id)
    and (:sync_id is null or sync_id = :sync_id)
    and (:failure_pattern is null or coalesce(failure_pattern, '') = :failure_pattern)
group by category
order by failing_pattern_count desc, pattern_count desc, category asc
