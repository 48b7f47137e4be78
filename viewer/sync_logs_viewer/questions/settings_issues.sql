select
    organization_id,
    sync_id,
    setting_name,
    given_value,
    issue,
    remedy,
    is_unsound
from sync_settings_issues
order by organization_id asc, sync_id asc, setting_name asc, issue asc
limit :row_limit
