{# The thresholds of each rule for each sync: those of the most specific scope that has the rule. #}
with

runs as (
    select * from {{ sync_logs.of_load(ref('int_runs__published')) }}
),

rules as (
    select * from {{ ref('int_alert_rules__used') }}
    where fault is null
),

rules_given as (
    select * from {{ ref('stg_sync_logs__alert_rules') }}
),

syncs as (
    select
        organization_id,
        sync_id,
        max(data_until_at) as data_until_at
    from runs
    where position is not null
    group by organization_id, sync_id
),

rules_of_syncs as (
    select /*+ broadcast(rules) */
        syncs.organization_id,
        syncs.sync_id,
        syncs.data_until_at,
        rules.rule,
        rules.severity,
        rules.threshold,
        rules.minimum,
        rules.muted_until,
        rules.only_mutes,
        case
            when rules.sync_id is not null then 1
            when rules.organization_id is not null then 2
            when not rules.is_built_in then 3
            else 4
        end as scope
    from syncs
    inner join rules
        on
            coalesce(syncs.organization_id = rules.organization_id, rules.organization_id is null)
            and coalesce(syncs.sync_id = rules.sync_id, rules.sync_id is null)
),

rules_ranked as (
    select
        *,
        min(case when not only_mutes then scope end)
            over (partition by organization_id, sync_id, rule) as narrowest_scope
    from rules_of_syncs
)

select
    organization_id,
    sync_id,
    rule,
    min(case when not only_mutes and severity = 'warning' then threshold end) as warning_threshold,
    min(case when not only_mutes and severity = 'critical' then threshold end)
        as critical_threshold,
    coalesce(min(case when not only_mutes and severity != 'off' then minimum end), 0) as minimum,
    -- a sync without times is judged by the time of the build
    coalesce(
        max(muted_until) > coalesce(max(data_until_at), {{ sync_logs.this_as_of() }}), false
    ) as is_muted,
    (select {{ sync_logs.alert_rules_hash() }} from rules_given) as rules_hash
from rules_ranked
where only_mutes or scope = narrowest_scope
group by organization_id, sync_id, rule
having bool_or(not only_mutes and severity != 'off')
