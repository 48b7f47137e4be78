{#
  The rules for alerts that a load uses, the built-in ones and those of the user, and what is wrong with
  them. Those with a fault are left out.
#}
{% set given = var('sync_logs_alert_rules_relation') %}
{% set columns = ['rule', 'severity', 'threshold', 'minimum', 'organization_id', 'sync_id',
    'muted_until'] %}
with

built_in_rules as (
    select * from {{ ref('sync_logs', 'alert_rules') }}
),

{% if given %}
    {% do sync_logs.check_ids_of_seed(
        'sync_logs_alert_rules_relation', ['organization_id', 'sync_id']) %}
    rules_given as (
        select
            -- a seed on embedded Spark has the string None instead of null
            {% for column in columns %}
                nullif(nullif(trim(cast({{ column }} as string)), ''), 'None') as {{ column }}
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        from {{ sync_logs.named_relation(given) }}
    ),
{% endif %}

rules_of_all as (
    select
        true as is_built_in,
        rule,
        severity,
        cast(threshold as string) as given_threshold,
        cast(minimum as string) as given_minimum,
        organization_id,
        sync_id,
        cast(muted_until as string) as given_muted_until
    from built_in_rules
    {% if given %}
        union all

        select
            false as is_built_in,
            rule,
            lower(severity) as severity,
            threshold as given_threshold,
            minimum as given_minimum,
            organization_id,
            sync_id,
            muted_until as given_muted_until
        from rules_given
    {% endif %}
),

rules_read as (
    select
        *,
        try_cast(given_threshold as double) as own_threshold,
        try_cast(given_minimum as double) as own_minimum,
        {{ sync_logs.utc_timestamp('given_muted_until') }} as muted_until
    from rules_of_all
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
