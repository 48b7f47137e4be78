{# The rules that sort errors: those that a build stored last, without faulty ones. #}
{{ config(materialized='lazy_view') }}
with

rules_checked as (
    select * from {{ ref('int_error_rules__checked') }}
),

rules_newest as (
    select max(stored_load_id) as stored_load_id
    from rules_checked
)

select
    pattern,
    category,
    priority,
    is_transient,
    hint
from rules_checked
where
    stored_load_id = (select rules_newest.stored_load_id from rules_newest)
    and fault is null
