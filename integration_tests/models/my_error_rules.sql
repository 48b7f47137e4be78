{# The rules of the package, and one more that takes precedence over them. #}
with

rules as (
    select * from {{ ref('sync_logs', 'error_categories') }}
)

select
    pattern,
    category,
    priority,
    is_transient,
    hint
from rules
union all
select
    '(?i)frozen' as pattern,
    'frozen account' as category,
    5 as priority,
    false as is_transient,
    'Ask finance.' as hint
