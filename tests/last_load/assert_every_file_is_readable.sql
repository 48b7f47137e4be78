-- Fails with the path of each file that could not be read in full. None of its rows is published.
select
    file_path,
    issue,
    remedy
from {{ ref('sync_logs', 'lake_file_issues') }}
where
    file_kind != 'other'
    and issue not in (
        'empty file', 'arrived after its run was pruned', 'changed after its run was pruned'
    )
