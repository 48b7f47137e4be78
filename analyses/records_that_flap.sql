{# Which records repeatedly enter and leave an audience? #}
{% set organization_id = '501' %}
{% set sync_id = '3003' %}
with

flapping as (
    select * from {{ ref('flapping_records') }}
    where
        organization_id = '{{ organization_id }}'
        and sync_id = '{{ sync_id }}'
)

select
    rank_in_sync,
    row_id,
    flap_count,
    entry_count,
    exit_count,
    last_attempted_at,
    is_delivered
from flapping
order by rank_in_sync asc
