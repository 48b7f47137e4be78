-- Fails with each setting of an individual sync that means nothing or contradicts another one.
{{ config(
    meta={'rows_in': 'sync_settings_issues', 'remedy': 'Correct the relation of settings.'}) }}
select
    organization_id,
    sync_id,
    setting_name,
    given_value,
    issue,
    remedy
from {{ ref('sync_logs', 'sync_settings_issues') }}
where is_unsound
