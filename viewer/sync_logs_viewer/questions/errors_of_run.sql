with

rows_counted as (
    select
        display_status,
        failure_reason,
        count(*) as row_count,
        -- masks hide what the text repeats of a record that has it
        min_by(
            struct(identifier, left(record_payload, :payload_limit) as record_payload),
            struct(identifier is null, identifier, file_name, row_index)
        ) as chosen
    from sync_records
    where
        organization_id = :organization_id
        and sync_id = :sync_id
        and sync_run_id = :sync_run_id
        and display_status in ('Rejected', 'Invalid')
    group by display_status, failure_reason
),

rows_placed as (
    select
        *,
        count(*) over () as error_count,
        row_number() over (
            order by row_count desc, display_status desc, failure_reason asc
        ) as place
    from rows_counted
),

reasons_known as (
    select
        failure_reason,
        failure_pattern,
        category,
        is_transient,
        sample_identifiers
    from errors_by_sync
    where organization_id = :organization_id and sync_id = :sync_id
),

patterns_known as (
    select
        failure_pattern,
        hint
    from error_patterns
    where organization_id = :organization_id and sync_id = :sync_id
)

select
    rows_placed.display_status,
    rows_placed.failure_reason,
    rows_placed.row_count,
    rows_placed.chosen.identifier as sample_row_id,
    rows_placed.chosen.record_payload,
    -- of the others, only the identifier of one record is known that a mask could find in them
    reasons_known.category is not null as is_known,
    reasons_known.failure_pattern,
    reasons_known.category,
    reasons_known.is_transient,
    reasons_known.sample_identifiers,
    patterns_known.hint,
    rows_placed.error_count
from rows_placed
left join reasons_known
    on rows_placed.failure_reason is not distinct from reasons_known.failure_reason
left join patterns_known
    on
        reasons_known.category is not null
        and reasons_known.failure_pattern is not distinct from patterns_known.failure_pattern
where rows_placed.place <= :row_limit
order by rows_placed.place asc
