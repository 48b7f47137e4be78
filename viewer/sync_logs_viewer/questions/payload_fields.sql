with

fields_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id
            -- those that one should look at come first
            order by is_in_last_run and coalesce(is_as_declared, true) asc, field_name asc
        ) as place_in_sync
    from payload_fields
    where
        (:organization_id is null or organization_id = :organization_id)
        and (:sync_id is null or sync_id = :sync_id)
)

select
    organization_id,
    sync_id,
    field_name,
    json_types,
    is_in_last_run,
    payload_count,
    present_count,
    present_share,
    null_share,
    distinct_share,
    longest_text,
    largest_number,
    declared_type,
    is_as_declared,
    run_count,
    first_seen_at,
    first_sync_run_id,
    last_seen_at,
    last_sync_run_id,
    data_until_at
from fields_ranked
where place_in_sync <= :rows_by_sync
order by organization_id asc, sync_id asc, place_in_sync asc
