with

changes_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id
            order by run_at desc nulls last, sync_run_id asc, field_name asc
        ) as place_in_sync
    from payload_schema_changes
    where
        (:organization_id is null or organization_id = :organization_id)
        and (:sync_id is null or sync_id = :sync_id)
)

select
    organization_id,
    sync_id,
    sync_run_id,
    run_at,
    field_name,
    change_type,
    json_types,
    previous_sync_run_id,
    previous_count,
    previous_payload_count,
    new_count,
    payload_count
from changes_ranked
where place_in_sync <= :rows_by_sync
order by organization_id asc, sync_id asc, place_in_sync asc
