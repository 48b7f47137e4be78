{#
  Which records change most? The query counts changed values, not how often a record was sent: a
  mirror also sends what has not changed.
#}
{% set organization_id = '501' %}
with

field_changes as (
    select * from {{ ref('field_changes') }}
    where organization_id = '{{ organization_id }}'
)

select
    sync_id,
    row_id,
    count(distinct sync_run_id) as run_count,
    count(*) as change_count,
    array_join(array_sort(collect_set(field_name)), ', ') as fields,
    max(changed_at) as last_changed_at
from field_changes
group by sync_id, row_id
order by run_count desc, change_count desc, sync_id asc, row_id asc
