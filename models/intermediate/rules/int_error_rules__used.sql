{#
  The rules for errors that a load uses, and what is wrong with them. Spark stops a query at a pattern
  that is not a regular expression. Each build therefore tries the rules here once, and queries read
  what is stored. A rule that a user breaks between two builds breaks no query either.
#}
{{ config(post_hook="{{ sync_logs.name_faulty_rules() }}") }}
with

rules as (
    {{ sync_logs.rules_given() }}
),

rules_numbered as (
    select
        *,
        -- not directly to an integer, which would truncate 1.5 and reject 10.0
        try_cast(given_priority as double) as priority_number
    from rules
),

rules_tried as (
    select
        *,
        case
            when priority_number = floor(priority_number) then try_cast(priority_number as int)
        end as priority,
        {{ sync_logs.is_regular_expression('pattern') }} as is_expression
    from rules_numbered
)

select
    pattern,
    category,
    priority,
    given_priority,
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
