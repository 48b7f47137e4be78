select
    representative_pattern,
    pattern_count,
    failure_patterns,
    sync_count,
    vendors,
    open_record_count,
    category,
    is_transient,
    hint,
    last_seen_at,
    count(*) over () as cluster_count,
    sum(pattern_count) over () as clustered_pattern_count
from error_clusters
order by cluster_number asc
limit :row_limit
