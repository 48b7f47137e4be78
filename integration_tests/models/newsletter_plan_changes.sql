{# Fields that differ between the first and the third run of the newsletter. #}
with

changes as (
    {{ sync_logs.field_changes_between('101', '103', sync_id='10') }}
)

select
    row_id as customer_id,
    field_name,
    previous_value,
    new_value
from changes
