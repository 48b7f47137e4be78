{#
  Faults in the rules for errors. Spark stops a query at a pattern that is not a regular expression.
  Each build therefore tries the rules here once, and queries read what is stored. A rule that a
  user breaks between two builds breaks no query either.
#}
{{ config(
    materialized='stored_copy',
    meta={'is_given_by_user': var('sync_logs_error_rules_relation') is not none},
    post_hook="{{ sync_logs.name_faulty_rules() }}",
) }}
with

rules as (
    select * from {{ ref('stg_sync_logs__error_rules') }}
),

rules_tried as (
    select
        *,
        {{ sync_logs.is_regular_expression('pattern') }} as is_expression
    from rules
)

select
    pattern,
    category,
    priority,
    is_transient,
    hint,
    nullif(
        concat_ws(
            '; ',
            case
                when pattern is null then 'the pattern is null'
                when pattern = '' then 'the pattern is empty, so it would match every reason'
                when not is_expression then 'the pattern is not a valid Java regular expression'
            end,
            case when coalesce(trim(category), '') = '' then 'the category is missing' end,
            case
                when given_priority is null then 'the priority is missing'
                when priority is null
                    then concat('the priority is not a whole number: ', given_priority)
            end
        ),
        ''
    ) as fault
from rules_tried
