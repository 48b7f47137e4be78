{#
  Faults in the settings of single syncs. A sync without a recorded run may still be to come, so it
  is not a fault. Everything else is.
#}
{{ config(materialized='lazy_view') }}
with

settings as (
    select * from {{ ref('stg_sync_logs__sync_settings') }}
),

runs as (
    select * from {{ ref('int_runs__live') }}
),

syncs as (
    select
        organization_id,
        sync_id
    from runs
    group by organization_id, sync_id
),

settings_counted as (
    select
        *,
        count(*) over (partition by organization_id, sync_id) as row_count
    from settings
),

settings_unfolded as (
    select
        organization_id,
        sync_id,
        explode(given_values) as (setting_name, given_value)
    from settings_counted
),

values_unsound as (
    select
        organization_id,
        sync_id,
        setting_name,
        given_value,
        true as is_unsound,
        case
            when setting_name != 'retention_days' then 'neither true nor false'
            when try_cast(given_value as double) is null then 'not a number of days'
            when try_cast(given_value as double) < 0 then 'a negative number of days'
            else 'more than {{ sync_logs.most_days() }} days'
        end as issue,
        case
            when setting_name = 'retention_days'
                then
                    'Counts as empty: sync_logs_retention_days holds. Write a number from 0 to '
                    || '{{ sync_logs.most_days() }}, or nothing. Until then nothing is pruned.'
            else
                'Counts as empty, which is true. Write true, false or nothing. '
                || 'Until then nothing is pruned.'
        end as remedy
    from settings_unfolded
    where
        given_value is not null
        and case
            when setting_name = 'retention_days'
                then
                    coalesce(
                        try_cast(given_value as double)
                        not between 0 and {{ sync_logs.most_days() }},
                        true
                    )
            else try_cast(lower(given_value) as boolean) is null
        end
),

ids_missing as (
    select
        organization_id,
        sync_id,
        case when organization_id is null then 'organization_id' else 'sync_id' end as setting_name,
        cast(null as string) as given_value,
        true as is_unsound,
        'no id' as issue,
        'Counts for no sync. Write both ids as sync_runs shows them. Until then nothing is pruned.'
            as remedy
    from settings_counted
    where organization_id is null or sync_id is null
),

rows_doubled as (
    select
        organization_id,
        sync_id,
        'sync_id' as setting_name,
        sync_id as given_value,
        true as is_unsound,
        concat(max(row_count), ' rows for one sync') as issue,
        'A table is left out if any of them says so. Leave one row. Until then nothing is pruned.'
            as remedy
    from settings_counted
    where row_count > 1 and organization_id is not null and sync_id is not null
    group by organization_id, sync_id
),

syncs_unknown as (
    select
        settings_counted.organization_id,
        settings_counted.sync_id,
        'sync_id' as setting_name,
        settings_counted.sync_id as given_value,
        false as is_unsound,
        'no such sync' as issue,
        'No run of it is on record. Compare both ids with sync_runs; if its first run is still to '
        || 'come, there is nothing to do.' as remedy
    from settings_counted
    left anti join syncs
        on
            settings_counted.organization_id = syncs.organization_id
            and settings_counted.sync_id = syncs.sync_id
    where settings_counted.organization_id is not null and settings_counted.sync_id is not null
)

select * from values_unsound
union distinct
select * from ids_missing
union distinct
select * from rows_doubled
union distinct
select * from syncs_unknown
