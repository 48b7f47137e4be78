{#
  The result of each record in each replayed run: every invalid row, and the final attempt of each
  record that has a better one. Each row without a key and each append row is a record of its own,
  next to any other rows. The rows are sorted by record and run, as all later steps need them. The
  log is shuffled and sorted only here, so the payload is carried along.
#}
{{ config(materialized='lazy_view') }}
with

files_landed as (
    select * from {{ sync_logs.of_load(ref('int_files__landed')) }}
),

records as (
    select * from {{ ref('int_records__logged') }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

files_replayed as (
    {{ sync_logs.files_replayed('files_landed', 'runs_planned') }}
),

attempts as (
    select /*+ broadcast(files_replayed) */
        records.organization_id,
        records.sync_id,
        records.sync_run_id,
        records.identifier,
        records.file_name,
        records.batch_number,
        records.row_index,
        records.operation,
        records.canonical_operation,
        records.status as sent_status,
        records.record_status,
        records.status_message,
        records.batch_started_at,
        records.batch_ended_at,
        records.record_payload,
        records.reported_op_type,
        records.reported_split_group,
        files_replayed.position,
        {{ sync_logs.is_keyed('records') }} as is_keyed,
        {{ sync_logs.attempt_rank('records') }} as attempt_rank
    from records
    inner join files_replayed
        on {{ sync_logs.is_of_file('records', 'files_replayed') }}
),

-- batches of which the destination rejected every row with the same message
batches_rejected as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        batch_started_at,
        batch_ended_at
    from attempts
    where batch_ended_at is not null
    group by organization_id, sync_id, sync_run_id, file_name, batch_started_at, batch_ended_at
    having
        count(*) > 1
        and count_if(record_status = 'failed') = count(*)
        and count(status_message) = count(*)
        and min(status_message) = max(status_message)
),

-- rows without a key get unique values, only to spread them over tasks
attempts_keyed as (
    select
        *,
        is_keyed and attempt_rank is not null as is_ranked,
        coalesce(identifier, concat_ws('/', sync_run_id, file_name, row_index)) as record_key
    from attempts
),

attempts_told_apart as (
    select
        *,
        is_ranked
        and record_status = 'succeeded'
        and canonical_operation != 'unknown' as is_deciding,
        is_ranked and record_status in ('succeeded', 'failed') as is_reaching
    from attempts_keyed
),

attempts_together as (
    select * from attempts_told_apart
    distribute by organization_id, sync_id, record_key
),

-- by run; within a run, null-key and append rows come first, then invalid ones, then the other
-- attempts by rank and time, so the final attempt is the last row
{% set attempts_of_record -%}
    partition by organization_id, sync_id, record_key
    order by position, is_keyed, is_ranked, {{ sync_logs.attempt_order() }}
{%- endset %}
{% set until_now = attempts_of_record ~ ' rows between unbounded preceding and current row' %}
{% set of_all_rows =
    attempts_of_record ~ ' rows between unbounded preceding and unbounded following' %}
-- a value may come from an earlier run, so each has the position of its run
attempts_followed as (
    select
        *,
        lead(position) over ({{ attempts_of_record }}) is distinct from position
        or lead(is_ranked) over ({{ attempts_of_record }}) is distinct from is_ranked as is_last,
        is_keyed
        and lead(position) over ({{ attempts_of_record }}) is distinct from position as is_outcome,
        last_value(
            case
                when is_deciding then struct(position, canonical_operation, batch_ended_at)
            end,
            true
        ) over ({{ until_now }}) as last_deciding,
        first_value(
            case
                when is_reaching then struct(position, canonical_operation, reported_op_type)
            end,
            true
        ) over ({{ of_all_rows }}) as first_reaching,
        max(case when is_reaching then position end) over ({{ until_now }}) as last_reached_position
    from attempts_together
),

final_attempts as (
    select
        *,
        case when last_deciding.position = position then last_deciding end as deciding_attempt
    from attempts_followed
    where is_last or not is_ranked
),

reasons_found as (
    select /*+ broadcast(batches_rejected) */
        final_attempts.*,
        {{ sync_logs.failed_reason('record_status', 'canonical_operation', 'identifier',
            'sent_status', 'operation', 'status_message') }} as failed_reason,
        batches_rejected.file_name is not null as failed_with_batch
    from final_attempts
    left join batches_rejected
        on
            final_attempts.organization_id = batches_rejected.organization_id
            and final_attempts.sync_id = batches_rejected.sync_id
            and final_attempts.sync_run_id = batches_rejected.sync_run_id
            and final_attempts.file_name = batches_rejected.file_name
            and final_attempts.batch_started_at <=> batches_rejected.batch_started_at
            and final_attempts.batch_ended_at = batches_rejected.batch_ended_at
),

reasons_with_values as (
    select
        *,
        case
            when failed_reason is not null
                then {{ sync_logs.values_to_name('record_payload', 'identifier') }}
        end as values_to_name
    from reasons_found
)

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    record_key,
    position,
    file_name,
    batch_number,
    row_index,
    canonical_operation,
    record_status,
    batch_ended_at,
    record_payload as fields,
    is_keyed,
    -- an invalid row is one only if the record has no better attempt in the run
    is_outcome,
    case
        when canonical_operation = 'unknown' then 'failed'
        when record_status = 'not_attempted' then 'aborted'
        when record_status = 'succeeded' then 'succeeded'
        else 'failed'
    end as status,
    failed_reason,
    {{ sync_logs.failure_pattern('failed_reason', 'values_to_name') }} as failure_pattern,
    failed_with_batch,
    deciding_attempt.canonical_operation != 'delete' as delivers,
    deciding_attempt.batch_ended_at as delivered_at,
    deciding_attempt.canonical_operation as delivering_operation,
    coalesce(last_reached_position = position, false) as is_reached,
    reported_op_type,
    reported_split_group,
    -- the first attempt in these runs that reached the destination is of this run, and shows that
    -- the record was in before
    coalesce(
        first_reaching.position = position
        and (
            first_reaching.canonical_operation = 'delete'
            or first_reaching.reported_op_type in ('changed', 'removed')
        ),
        false
    ) as is_begun_as_member
from reasons_with_values
