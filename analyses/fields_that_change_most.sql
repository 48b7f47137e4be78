{# Which fields of a sync change most? #}
{% set organization_id = '501' %}
with

field_changes as (
    select * from {{ ref('field_changes') }}
    where organization_id = '{{ organization_id }}'
)

select
    sync_id,
    field_name,
    count(*) as change_count,
    count(distinct row_id) as record_count,
    count_if(previous_value is null) as from_null_count,
    count_if(new_value is null) as to_null_count,
    max(changed_at) as last_changed_at
from field_changes
group by sync_id, field_name
order by change_count desc, sync_id asc, field_name asc
