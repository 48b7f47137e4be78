-- Settings for a sync that has no run on record: misspelt, or made before its first run. This is
-- a warning, because only a person can tell, and you may write the settings of a sync first.
{{ config(
    severity='warn',
    meta={'rows_in': 'sync_settings_issues', 'remedy': 'Compare the ids with sync_runs.'}) }}
select
    organization_id,
    sync_id,
    issue,
    remedy
from {{ ref('sync_logs', 'sync_settings_issues') }}
where not is_unsound
