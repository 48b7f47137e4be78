{# Which fields of which records differ between two runs of a sync? #}
{% set organization_id = '501' %}
{% set sync_id = '3001' %}
{% set run_a = '9968' %}
{% set run_b = '10064' %}
with

field_changes as (
    {{ sync_logs.field_changes_between(
        run_a, run_b, sync_id=sync_id, organization_id=organization_id
    ) }}
)

select
    row_id,
    field_name,
    change_type,
    previous_value,
    new_value
from field_changes
order by row_id asc, field_name asc
