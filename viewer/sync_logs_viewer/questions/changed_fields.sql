with

changes_counted as (
    select
        organization_id,
        sync_id,
        field_name,
        count(*) as change_count,
        count(distinct row_id) as record_count,
        max(changed_at) as last_changed_at
    from field_changes
    group by organization_id, sync_id, field_name
)

select *
from changes_counted
order by change_count desc, organization_id asc, sync_id asc, field_name asc
limit :row_limit
