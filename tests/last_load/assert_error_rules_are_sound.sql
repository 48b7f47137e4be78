-- Fails with each error rule that is left out, and with what is wrong with it.
-- depends_on: {{ ref('sync_logs', 'errors_by_category') }} (a leaf: it must block nothing)
with

load_current as (
    select * from {{ ref('sync_load_current') }}
),

rules_used as (
    select * from {{ ref('int_error_rules__used') }}
    where load_id = (select load_current.load_id from load_current)
)

select
    pattern,
    category,
    priority,
    fault
from rules_used
where fault is not null
