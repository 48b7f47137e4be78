with

settings_checked as (
    select * from {{ ref('int_sync_settings__checked') }}
),

sources as (
    select * from {{ ref('int_sources__live') }}
)

select
    settings_checked.organization_id,
    settings_checked.sync_id,
    settings_checked.setting_name,
    settings_checked.given_value,
    settings_checked.issue,
    settings_checked.remedy,
    settings_checked.is_unsound,
    sources.shown.*
from settings_checked
left join sources
    on settings_checked.organization_id = sources.organization_id
