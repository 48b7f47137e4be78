-- The published way: views on the raw logs, which every question reads again.
create or replace temporary view raw_log as
select
    element_at(split(file_path, '/'), -4) as organization_id,
    element_at(split(file_path, '/'), -3) as sync_id,
    element_at(split(file_path, '/'), -2) as sync_run_id,
    *
from raw_batches;

create or replace temporary view raw_runs as
select
    organization_id,
    sync_configuration_id as sync_id,
    sync_run_id,
    model_name,
    sync_run_status as status,
    to_timestamp(sync_run_started_at) as started_at
from raw_metadata;

create or replace temporary view raw_attempts as
select
    *,
    row_number() over (
        partition by organization_id, sync_id, sync_run_id, identifier
        order by batch_ended_at desc, status asc
    ) = 1 as is_final
from raw_log
where status in ('succeeded', 'rejected');

create or replace temporary view raw_changes as
select
    *,
    lag(operation != 'delete', 1, false) over (
        partition by organization_id, sync_id, identifier
        order by batch_ended_at asc
    ) as was_delivered
from raw_attempts
where is_final and status = 'succeeded';

-- most_common_error_by_sync
with errors as (
    select
        organization_id,
        sync_id,
        status_message,
        count(*) as attempt_count,
        count(distinct identifier) as record_count,
        max(batch_ended_at) as last_seen_at
    from raw_attempts
    where is_final and status = 'rejected'
    group by organization_id, sync_id, status_message
),

ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id
            order by record_count desc, attempt_count desc, status_message asc
        ) as rank_in_sync
    from errors
)

select * from ranked
where rank_in_sync = 1
order by organization_id asc, sync_id asc;

-- latest_audience_events
with events as (
    select
        organization_id,
        sync_id,
        identifier,
        sync_run_id,
        batch_ended_at as event_at,
        if(operation = 'delete', 'left', 'entered') as event_type
    from raw_changes
    where (operation != 'delete') != was_delivered
),

audiences as (
    select
        organization_id,
        sync_id
    from events
    where event_type = 'left'
    group by organization_id, sync_id
    order by count(*) desc
    limit 1
)

select events.* from events
inner join audiences
    on events.organization_id = audiences.organization_id and events.sync_id = audiences.sync_id
order by events.event_at desc, events.identifier asc
limit 8;

-- run_health
with counted as (
    select
        organization_id,
        sync_id,
        count(*) as attempted_count,
        count_if(status = 'rejected') as rejected_count
    from raw_attempts
    where is_final
    group by organization_id, sync_id
),

runs as (
    select
        organization_id,
        sync_id,
        count(*) as run_count,
        count_if(status = 'failed') as failed_run_count,
        max(started_at) as last_run_at
    from raw_runs
    group by organization_id, sync_id
)

select * from runs
left join counted using (organization_id, sync_id)
order by organization_id asc, sync_id asc;
