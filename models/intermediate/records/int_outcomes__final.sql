{#
  What became of each record in each run that has news: every invalid row, and the final attempt of
  each record that has a better one. Independent of the order of runs, and without the payload.
#}
with

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

records as (
    select * from {{ ref('stg_sync_logs__records') }}
),

runs_touched as (
    select * from {{ ref('int_runs__touched') }}
),

files_live as (
    select files_landed.*
    from files_landed
    inner join runs_touched
        on
            files_landed.organization_id = runs_touched.organization_id
            and files_landed.sync_id = runs_touched.sync_id
            and files_landed.sync_run_id = runs_touched.sync_run_id
    where files_landed.file_kind = 'batch' and files_landed.issue is null
),

attempts as (
    select /*+ broadcast(files_live) */
        records.organization_id,
        records.sync_id,
        records.sync_run_id,
        records.file_name,
        records.batch_number,
        records.row_index,
        records.identifier,
        records.operation,
        records.canonical_operation,
        records.status,
        records.record_status,
        records.status_message,
        records.batch_ended_at,
        records.record_status in ('invalid_null_key', 'invalid_duplicate_key') as is_invalid,
        records.identifier is not null and records.canonical_operation != 'append' as is_keyed
    from records
    inner join files_live
        on
            records.load_id = files_live.landed_load_id
            and records.organization_id = files_live.organization_id
            and records.sync_id = files_live.sync_id
            and records.sync_run_id = files_live.sync_run_id
            and records.file_name = files_live.file_name
),

attempts_ranked as (
    select
        *,
        xxhash64(organization_id, sync_id, sync_run_id, identifier) as attempt_hash,
        case
            when record_status in ('succeeded', 'failed') then 3
            when record_status = 'not_attempted' then 2
            else 1
        end as attempt_rank
    from attempts
    where is_keyed and not is_invalid
),

-- the final attempt comes last, before it those of its rank in their own order
{% set attempts_of_record -%}
    partition by attempt_hash, organization_id, sync_id, sync_run_id, identifier
    order by
        attempt_rank asc nulls first,
        batch_ended_at asc nulls first,
        batch_number asc nulls first,
        file_name asc,
        row_index asc
{%- endset %}
attempts_followed as (
    select
        *,
        lead(row_index) over ({{ attempts_of_record }}) is null as is_final,
        last_value(
            case
                when record_status = 'succeeded' and canonical_operation != 'unknown'
                    then struct(canonical_operation, batch_ended_at)
            end,
            true
        ) over (
            {{ attempts_of_record }}
            rows between unbounded preceding and current row
        ) as deciding_attempt,
        first_value(
            case when record_status in ('succeeded', 'failed') then canonical_operation end,
            true
        ) over (
            {{ attempts_of_record }}
            rows between unbounded preceding and current row
        ) as first_reached_operation
    from attempts_ranked
),

{% set attempt_columns = ['organization_id', 'sync_id', 'sync_run_id', 'identifier', 'file_name',
    'batch_number', 'row_index', 'operation', 'canonical_operation', 'status', 'record_status',
    'status_message', 'batch_ended_at'] | join(', ') %}
rows_of_their_own as (
    select
        {{ attempt_columns }},
        is_keyed,
        cast(null as boolean) as delivers,
        cast(null as timestamp) as delivered_at,
        cast(null as string) as delivering_operation,
        cast(null as string) as first_reached_operation
    from attempts
    where is_invalid or not is_keyed
),

final_attempts as (
    select
        {{ attempt_columns }},
        true as is_keyed,
        deciding_attempt.canonical_operation != 'delete' as delivers,
        deciding_attempt.batch_ended_at as delivered_at,
        deciding_attempt.canonical_operation as delivering_operation,
        first_reached_operation
    from attempts_followed
    where is_final
),

outcomes as (
    select * from rows_of_their_own
    union all
    select * from final_attempts
)

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    file_name,
    batch_number,
    row_index,
    canonical_operation,
    record_status,
    batch_ended_at,
    is_keyed,
    case
        when canonical_operation = 'unknown' then 'failed'
        when record_status = 'not_attempted' then 'aborted'
        when record_status = 'succeeded' then 'succeeded'
        else 'failed'
    end as status,
    case
        when record_status = 'failed' and status_message is not null then status_message
        when record_status = 'invalid_duplicate_key' then 'Invalid record: duplicate identifier'
        when record_status = 'invalid_null_key' and identifier is null
            then 'Invalid record: identifier is null'
        when record_status = 'invalid_null_key' then 'Invalid record: status NULL'
        when record_status = 'unknown'
            then concat('Unrecognised status: ', coalesce(status, 'null'))
        when canonical_operation = 'unknown'
            then concat('Unrecognised operation: ', coalesce(operation, 'null'))
    end as failed_reason,
    delivers,
    delivered_at,
    delivering_operation,
    first_reached_operation
from outcomes
