-- Files of the lake that nothing reads because they are outside its layout. This is a warning,
-- because only a person can say whether they were meant to be read.
{{ config(severity='warn') }}
select
    file_path,
    issue,
    remedy
from {{ ref('sync_logs', 'lake_file_issues') }}
where issue = 'outside the layout'
