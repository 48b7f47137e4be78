{# The rules for alerts, and what is wrong with them. Those with a fault are left out. #}
{{ config(materialized='lazy_view') }}
with

rules_given as (
    select * from {{ ref('stg_sync_logs__alert_rules') }}
),

rules_read as (
    select
        *,
        try_cast(given_threshold as double) as own_threshold,
        try_cast(given_minimum as double) as own_minimum,
        {{ sync_logs.utc_timestamp('given_muted_until') }} as muted_until
    from rules_given
),

rules_completed as (
    select
        *,
        coalesce(
            own_threshold,
            min(case when is_built_in then own_threshold end) over (partition by rule, severity),
            min(case when is_built_in then own_threshold end) over (partition by rule)
        ) as threshold,
        coalesce(
            own_minimum, min(case when is_built_in then own_minimum end) over (partition by rule)
        ) as minimum,
        bool_or(is_built_in) over (partition by rule) as is_known
    from rules_read
)

select
    is_built_in,
    rule,
    severity,
    threshold,
    minimum,
    organization_id,
    sync_id,
    muted_until,
    coalesce(
        severity != 'off'
        and muted_until is not null
        and given_threshold is null
        and given_minimum is null,
        false
    ) as only_mutes,
    nullif(
        concat_ws(
            '; ',
            case when not is_known then 'there is no such rule' end,
            case
                when severity is null or severity not in ('warning', 'critical', 'off')
                    then 'the severity is none of warning, critical, off'
            end,
            case
                when given_threshold is not null and own_threshold is null
                    then concat('the threshold is not a number: ', given_threshold)
            end,
            case
                when given_minimum is not null and own_minimum is null
                    then concat('the minimum is not a number: ', given_minimum)
            end,
            case
                when given_muted_until is not null and muted_until is null
                    then concat('muted_until is not a time: ', given_muted_until)
            end
        ),
        ''
    ) as fault
from rules_completed
