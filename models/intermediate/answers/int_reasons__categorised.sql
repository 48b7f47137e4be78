{# Failure reasons of each organisation with the rule that counts for them. #}
{{ config(materialized='lazy_view') }}
with

record_errors as (
    select * from {{ ref('int_record_errors__kept') }}
),

rules as (
    select * from {{ ref('stg_sync_logs__error_rules') }}
),

reasons as (
    select distinct
        organization_id,
        failed_reason
    from record_errors
),

reasons_matched as (
    select /*+ broadcast(rules) */
        reasons.organization_id,
        reasons.failed_reason,
        rules.category,
        rules.is_transient,
        rules.priority,
        rules.pattern
    from reasons
    inner join rules
        on reasons.failed_reason rlike rules.pattern
),

reasons_decided as (
    select
        organization_id,
        failed_reason,
        min_by(
            named_struct('category', category, 'is_transient', is_transient),
            struct(priority, category, pattern)
        ) as rule_that_counts
    from reasons_matched
    group by organization_id, failed_reason
)

select
    reasons.organization_id,
    reasons.failed_reason,
    coalesce(reasons_decided.rule_that_counts.category, 'uncategorised') as category,
    reasons_decided.rule_that_counts.is_transient
from reasons
left join reasons_decided
    on
        reasons.organization_id = reasons_decided.organization_id
        and reasons.failed_reason = reasons_decided.failed_reason
