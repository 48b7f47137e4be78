{# Failure reasons of each organisation, with the rule that applies to them. #}
with

record_errors as (
    select * from {{ ref('int_record_errors__latest') }}
),

rules as (
    select * from {{ sync_logs.of_load(ref('int_error_rules__used')) }}
    where fault is null
),

reasons as (
    select distinct
        organization_id,
        failed_reason
    from record_errors
),

-- a reason that matches no rule is kept, without a rule
reasons_matched as (
    select /*+ broadcast(rules) */
        reasons.organization_id,
        reasons.failed_reason,
        rules.category,
        rules.is_transient,
        rules.priority,
        rules.pattern
    from reasons
    left join rules
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
    organization_id,
    failed_reason,
    coalesce(rule_that_counts.category, 'uncategorised') as category,
    rule_that_counts.is_transient
from reasons_decided
