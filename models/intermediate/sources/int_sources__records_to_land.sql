{#
  Rows of the tables of sources, as this build lands them. A run that has changed is read again in
  full. What an earlier build has landed of it is added, because the vendor may have deleted those
  rows since. Of the rows with the same key, one that the source still has comes first.
#}
{{ config(enabled=sync_logs.table_sources() | length > 0) }}
{% set columns = ['organization_id', 'sync_id', 'sync_run_id', 'file_name', 'source_key', 'log_id',
    'identifier',
    'record_payload', 'operation', 'status', 'status_message', 'batch_started_at', 'batch_ended_at',
    'logged_at', 'reported_op_type', 'reported_split_group'] %}
with

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

committed_files as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('files')) }}
),

records_landed as (
    select * from {{ sync_logs.committed('records') }}
),

source_records as (
    select * from {{ ref('int_sources__records') }}
),

arrivals_to_read as (
    select
        files_planned.organization_id,
        files_planned.sync_id,
        files_planned.sync_run_id,
        files_planned.file_name,
        committed_files.landed_load_id as stored_load_id
    from files_planned
    left join committed_files
        on files_planned.relative_path = committed_files.relative_path
    where
        files_planned.action = 'load'
        and files_planned.file_kind = 'batch'
        and files_planned.file_path is null
),

rows_together as (
    select /*+ broadcast(arrivals_to_read) */
        {% for column in columns %}
            records_landed.{{ column }},
        {% endfor %}
        true as is_stored
    from records_landed
    inner join arrivals_to_read
        on
            records_landed.load_id = arrivals_to_read.stored_load_id
            and records_landed.organization_id = arrivals_to_read.organization_id
            and records_landed.sync_id = arrivals_to_read.sync_id
            and records_landed.sync_run_id = arrivals_to_read.sync_run_id
            and records_landed.file_name = arrivals_to_read.file_name

    union all

    select /*+ broadcast(arrivals_to_read) */
        {% for column in columns %}
            source_records.{{ column }},
        {% endfor %}
        false as is_stored
    from source_records
    inner join arrivals_to_read
        on
            source_records.organization_id = arrivals_to_read.organization_id
            and source_records.sync_id = arrivals_to_read.sync_id
            and source_records.sync_run_id = arrivals_to_read.sync_run_id
            and source_records.file_name = arrivals_to_read.file_name
),

rows_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id, sync_run_id, file_name, source_key
            order by
                is_stored asc,
                logged_at desc nulls last,
                case {{ sync_logs.record_status('status', 'identifier') }}
                    when 'succeeded' then 1
                    when 'failed' then 2
                    when 'not_attempted' then 3
                    else 4
                end asc,
                status asc nulls last,
                status_message asc nulls last,
                record_payload asc nulls last
        ) as key_rank,
        count_if(not is_stored) over (
            partition by organization_id, sync_id, sync_run_id, file_name, source_key
        ) as source_row_count
    from rows_together
)

select
    {% for column in columns %}
        {{ column }},
    {% endfor %}
    -- a place that stays the same when other rows of the run arrive or are deleted
    xxhash64(source_key) as row_index,
    source_row_count
from rows_ranked
where key_rank = 1
