{#
  Rows of the tables of sources. A run that has changed is read again in full. What an earlier build
  has read of it is added, because the vendor may have deleted those rows since. Of the rows with
  the same key, one that the source still has comes first.
#}
{% set are_read = sync_logs.table_sources() | length > 0 %}
{% if not are_read %}{% do sync_logs.nothing_to_load() %}{% endif %}
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

records_received as (
    select * from {{ sync_logs.committed('records_received') }}
),

{% if are_read %}
    source_records as (
        select * from {{ ref('int_sources__records') }}
    ),
{% endif %}

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
            records_received.{{ column }},
        {% endfor %}
        true as is_stored
    from records_received
    inner join arrivals_to_read
        on
            records_received.load_id = arrivals_to_read.stored_load_id
            and records_received.organization_id = arrivals_to_read.organization_id
            and records_received.sync_id = arrivals_to_read.sync_id
            and records_received.sync_run_id = arrivals_to_read.sync_run_id
            and records_received.file_name = arrivals_to_read.file_name

    {% if are_read %}
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
    {% endif %}
),

rows_ranked as (
    select
        *,
        {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }} as is_purged,
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
    cast(null as string) as batch_type,
    cast(null as decimal(38, 0)) as batch_number,
    -- a place that stays the same when other rows of the run arrive or are deleted
    xxhash64(source_key) as row_index,
    source_row_count,
    is_purged
from rows_ranked
where key_rank = 1 and not is_purged
{{ sync_logs.search_order('rows_ranked') }}
