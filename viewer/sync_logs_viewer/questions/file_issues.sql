select
    organization_id,
    sync_id,
    sync_run_id,
    relative_path,
    file_kind,
    issue,
    reason,
    detail,
    file_size,
    remedy
from lake_file_issues
order by relative_path asc nulls last, issue asc
limit :row_limit
