with

settings_checked as (
    select * from {{ ref('int_sync_settings__checked') }}
)

select
    organization_id,
    sync_id,
    setting_name,
    given_value,
    issue,
    remedy,
    is_unsound
from settings_checked
