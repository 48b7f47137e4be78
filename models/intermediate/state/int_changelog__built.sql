{# Rows of the changelog of the replayed runs. The payload joins last, once per row. #}
with

outcomes_sequenced as (
    select * from {{ ref('int_outcomes__sequenced') }}
),

records as (
    select * from {{ ref('stg_sync_logs__records') }}
),

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

files_replayed as (
    select files_landed.*
    from files_landed
    inner join runs_planned
        on
            files_landed.organization_id = runs_planned.organization_id
            and files_landed.sync_id = runs_planned.sync_id
            and files_landed.sync_run_id = runs_planned.sync_run_id
    where
        runs_planned.is_replayed
        and files_landed.file_kind = 'batch'
        and files_landed.issue is null
),

payloads as (
    select /*+ broadcast(files_replayed) */
        records.organization_id,
        records.sync_id,
        records.sync_run_id,
        records.file_name,
        records.row_index,
        records.record_payload
    from records
    inner join files_replayed
        on
            records.load_id = files_replayed.landed_load_id
            and records.organization_id = files_replayed.organization_id
            and records.sync_id = files_replayed.sync_id
            and records.sync_run_id = files_replayed.sync_run_id
            and records.file_name = files_replayed.file_name
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
    payloads.record_payload as fields,
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
    outcomes_sequenced.first_reached_operation is not null as is_reached,
    -- a delete says nothing about fields, and what was not sent has changed nothing
    outcomes_sequenced.is_keyed
    and outcomes_sequenced.record_status in ('succeeded', 'failed')
    and outcomes_sequenced.canonical_operation != 'delete' as is_compared
from outcomes_sequenced
inner join payloads
    on
        outcomes_sequenced.organization_id = payloads.organization_id
        and outcomes_sequenced.sync_id = payloads.sync_id
        and outcomes_sequenced.sync_run_id = payloads.sync_run_id
        and outcomes_sequenced.file_name = payloads.file_name
        and outcomes_sequenced.row_index = payloads.row_index
