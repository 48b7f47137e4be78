{# Rows of the changelog of the replayed runs. #}
with

outcomes_sequenced as (
    select * from {{ ref('int_outcomes__sequenced') }}
)

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    file_name,
    batch_number,
    row_index,
    op_type,
    status,
    failed_reason,
    fields,
    canonical_operation,
    record_status,
    batch_ended_at,
    order_at,
    position,
    next_replacing_position,
    is_keyed,
    is_replacing,
    is_late_start,
    was_delivered,
    sets_delivered,
    delivers,
    delivered_at,
    delivering_operation,
    is_reached,
    -- a delete says nothing about fields, and what was not sent has changed nothing
    is_keyed
    and record_status in ('succeeded', 'failed')
    and canonical_operation != 'delete' as is_compared
from outcomes_sequenced
{{ sync_logs.search_order('outcomes_sequenced', 'record_key') }}
