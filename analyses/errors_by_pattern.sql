{# Which messages are one fault, how many records have it now, and is it new? #}
{% set organization_id = '501' %}
with

patterns as (
    select * from {{ ref('error_patterns') }}
    where organization_id = '{{ organization_id }}'
)

select
    sync_id,
    failure_pattern,
    record_count,
    open_record_count,
    bystander_count,
    is_new,
    last_seen_at
from patterns
order by open_record_count desc, record_count desc, sync_id asc, rank_in_sync asc
