{# Rows of the changelog of the replayed runs. The payload joins last, once per row. #}
with

outcomes_sequenced as (
    select * from {{ ref('int_outcomes__sequenced') }}
),

records as (
    select * from {{ ref('stg_sync_logs__records') }}
)

select
    outcomes_sequenced.organization_id,
    outcomes_sequenced.sync_id,
    outcomes_sequenced.sync_run_id,
    outcomes_sequenced.identifier,
    outcomes_sequenced.file_name,
    outcomes_sequenced.batch_number,
    outcomes_sequenced.row_index,
    outcomes_sequenced.op_type,
    outcomes_sequenced.status,
    outcomes_sequenced.failed_reason,
    records.record_payload as fields,
    outcomes_sequenced.canonical_operation,
    outcomes_sequenced.record_status,
    outcomes_sequenced.batch_ended_at,
    outcomes_sequenced.order_at,
    outcomes_sequenced.position,
    outcomes_sequenced.next_replacing_position,
    outcomes_sequenced.is_keyed,
    outcomes_sequenced.is_replacing,
    outcomes_sequenced.is_late_start,
    outcomes_sequenced.was_delivered,
    outcomes_sequenced.sets_delivered,
    outcomes_sequenced.delivers,
    outcomes_sequenced.delivered_at,
    outcomes_sequenced.delivering_operation,
    outcomes_sequenced.first_reached_operation is not null as is_reached
from outcomes_sequenced
inner join records
    on
        outcomes_sequenced.landed_load_id = records.load_id
        and outcomes_sequenced.organization_id = records.organization_id
        and outcomes_sequenced.sync_id = records.sync_id
        and outcomes_sequenced.sync_run_id = records.sync_run_id
        and outcomes_sequenced.file_name = records.file_name
        and outcomes_sequenced.row_index = records.row_index
