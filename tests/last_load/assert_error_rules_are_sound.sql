-- Fails with each error rule that is left out, and with what is wrong with it.
-- depends_on: {{ ref('sync_logs', 'errors_by_category') }} (a leaf: it must block nothing)
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
    fault
from rules_checked
where
    stored_load_id = (select rules_newest.stored_load_id from rules_newest)
    and fault is not null
