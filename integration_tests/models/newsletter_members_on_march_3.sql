{# Customers who were in the newsletter audience at the start of March 3. #}
with

members as (
    {{ sync_logs.members_at('2026-03-03', sync_id='10') }}
)

select
    row_id as customer_id,
    entered_at
from members
