with

settings_checked as (
    select * from {{ ref('int_sync_settings__checked') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

sources as (
    select
        organization_id,
        max(source_name) as source_name,
        max(vendor) as vendor
    from runs
    group by organization_id
)

select
    settings_checked.organization_id,
    settings_checked.sync_id,
    settings_checked.setting_name,
    settings_checked.given_value,
    settings_checked.issue,
    settings_checked.remedy,
    settings_checked.is_unsound,
    sources.source_name,
    sources.vendor
from settings_checked
left join sources
    on settings_checked.organization_id = sources.organization_id
