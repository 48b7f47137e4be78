-- Fails with the path of each file of zero bytes. Only the audit sees these files.
-- depends_on: {{ ref('int_files__audited') }} (the table does not wait for it)
{{ config(enabled=sync_logs.runs_python_models()) }}
select
    file_path,
    file_kind,
    remedy
from {{ ref('sync_logs', 'lake_file_issues') }}
where issue = 'empty file'
