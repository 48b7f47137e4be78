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
        records.record_payload,
        {{ sync_logs.row_hash('records') }} as row_hash
    from records
    inner join files_replayed
        on
            records.load_id = files_replayed.landed_load_id
            and records.organization_id = files_replayed.organization_id
            and records.sync_id = files_replayed.sync_id
            and records.sync_run_id = files_replayed.sync_run_id
            and records.file_name = files_replayed.file_name
),

outcomes_placed as (
    select
        *,
        {{ sync_logs.row_hash('outcomes_sequenced') }} as row_hash
    from outcomes_sequenced
)

select
    outcomes_placed.organization_id,
    outcomes_placed.sync_id,
    outcomes_placed.sync_run_id,
    outcomes_placed.identifier,
    outcomes_placed.file_name,
    outcomes_placed.batch_number,
    outcomes_placed.row_index,
    outcomes_placed.op_type,
    outcomes_placed.status,
    outcomes_placed.failed_reason,
    payloads.record_payload as fields,
    outcomes_placed.canonical_operation,
    outcomes_placed.record_status,
    outcomes_placed.batch_ended_at,
    outcomes_placed.order_at,
    outcomes_placed.position,
    outcomes_placed.next_replacing_position,
    outcomes_placed.is_keyed,
    outcomes_placed.is_replacing,
    outcomes_placed.is_late_start,
    outcomes_placed.was_delivered,
    outcomes_placed.sets_delivered,
    outcomes_placed.delivers,
    outcomes_placed.delivered_at,
    outcomes_placed.delivering_operation,
    outcomes_placed.first_reached_operation is not null as is_reached,
    -- a delete says nothing about fields, and what was not sent has changed nothing
    outcomes_placed.is_keyed
    and outcomes_placed.record_status in ('succeeded', 'failed')
    and outcomes_placed.canonical_operation != 'delete' as is_compared
from outcomes_placed
inner join payloads
    on
        outcomes_placed.row_hash = payloads.row_hash
        and outcomes_placed.organization_id = payloads.organization_id
        and outcomes_placed.sync_id = payloads.sync_id
        and outcomes_placed.sync_run_id = payloads.sync_run_id
        and outcomes_placed.file_name = payloads.file_name
        and outcomes_placed.row_index = payloads.row_index
{{ sync_logs.search_order('outcomes_placed') }}
