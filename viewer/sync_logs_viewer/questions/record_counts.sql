with

rows_counted as (
    select
        display_status,
        operation,
        count(*) as row_count
    from sync_records
    where
        organization_id = :organization_id
        and sync_id = :sync_id
        and sync_run_id = :sync_run_id
        and (:operation is null or operation = :operation)
        and (:failure_reason is null or coalesce(failure_reason, '') = :failure_reason)
        and (
            :identifier is null
            or case
                when :is_hashed then concat('sha256:', left(sha2(identifier, 256), 16))
                else identifier
            end = :identifier
        )
        and (:identifier_prefix is null or startswith(identifier, :identifier_prefix))
    group by display_status, operation
),

operations_counted as (
    select
        *,
        sum(row_count) over (partition by operation) as operation_row_count
    from rows_counted
),

operations_ranked as (
    select
        *,
        -- a log can have as many operations as rows
        dense_rank() over (
            order by operation is null asc, operation_row_count desc, operation asc
        ) as operation_rank
    from operations_counted
),

operations_numbered as (
    select
        *,
        max(case when operation is not null then operation_rank end) over () as operation_count
    from operations_ranked
)

select
    display_status,
    case when operation_rank <= :operations then operation end as operation,
    max(operation_count) as operation_count,
    sum(row_count) as row_count
from operations_numbered
group by display_status, case when operation_rank <= :operations then operation end
order by display_status asc, operation asc
