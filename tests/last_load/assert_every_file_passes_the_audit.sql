-- Fails with the path of each file that the audit of the last load found something wrong with.
{{ config(enabled=sync_logs.is_file_audit_on()) }}
select
    relative_path,
    issue,
    detail,
    remedy
from {{ ref('sync_logs', 'lake_file_audit') }}
