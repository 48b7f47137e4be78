-- Files and folders of the lake that no query sees. Only the audit sees them. This is a warning,
-- because only a person can say whether they were meant to be read.
-- depends_on: {{ ref('int_files__audited') }} (the table does not wait for it)
{{ config(severity='warn', enabled=sync_logs.runs_python_models()) }}
select
    file_path,
    detail,
    remedy
from {{ ref('sync_logs', 'lake_file_issues') }}
where issue = 'hidden from queries'
