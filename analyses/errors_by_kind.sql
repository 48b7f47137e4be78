{# What kinds of errors does each sync have, and what can you do about them? #}
{% set organization_id = '501' %}
with

errors as (
    select * from {{ ref('errors_by_category') }}
    where organization_id = '{{ organization_id }}'
)

select
    sync_id,
    category,
    is_transient,
    record_count,
    open_record_count,
    top_failure_reason,
    hint
from errors
order by open_record_count desc, record_count desc, sync_id asc, category asc
