-- The documented tables of a lake, as you would build them with DuckDB. This file has the tables
-- that need their own rows, and peer_views.sql has the views on them. It follows docs/semantics.md
-- and docs/answers.md, for lakes without replacing runs, late starts and hidden syncs.

create or replace table runs as
select
    organization_id,
    sync_configuration_id as sync_id,
    sync_run_id,
    sync_run_started_at as order_at,
    sync_run_finished_at as finished_at,
    sync_run_status as status,
    model_name,
    row_number() over (
        partition by organization_id, sync_configuration_id
        order by sync_run_started_at asc, sync_run_id::bigint asc
    ) as position
from read_json(
    '{lake}/sync_tracking_datasets/*/*/*/metadata.json',
    columns = {{
        organization_id: 'varchar', sync_configuration_id: 'varchar', sync_run_id: 'varchar',
        sync_run_started_at: 'timestamp', sync_run_finished_at: 'timestamp',
        sync_run_status: 'varchar', model_name: 'varchar'
    }}
);

create or replace table sync_records as
with read_files as (
    select *, string_split(filename, '/') as parts
    from read_parquet(
        '{lake}/sync_tracking_datasets/*/*/*/*.parquet',
        filename = true, file_row_number = true, union_by_name = true
    )
)
select
    parts[-4] as organization_id,
    parts[-3] as sync_id,
    parts[-2] as sync_run_id,
    parts[-1] as file_name,
    string_split(parts[-1], '.')[-2]::bigint as batch_number,
    file_row_number as row_index,
    identifier,
    record_payload,
    lower(trim(operation)) as operation,
    status,
    case
        when status is null and identifier is null then 'invalid_null_key'
        else case lower(trim(status))
            when 'succeeded' then 'succeeded'
            when 'rejected' then 'failed'
            when 'failed' then 'failed'
            when 'null' then 'invalid_null_key'
            when 'duplicate' then 'invalid_duplicate_key'
            when 'aborted' then 'not_attempted'
            else 'unknown'
        end
    end as record_status,
    status_message,
    batch_started_at,
    batch_ended_at
from read_files;

create or replace table sync_changelog as
with final_attempts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        identifier,
        unnest(arg_max(
            struct_pack(operation, record_status, status_message, record_payload, batch_ended_at),
            struct_pack(
                attempt_rank := case record_status
                    when 'succeeded' then 3 when 'failed' then 3 when 'not_attempted' then 2 else 1
                end,
                batch_ended_at, batch_number, file_name, row_index
            )
        )),
        arg_max(operation != 'delete', struct_pack(batch_ended_at, batch_number, file_name, row_index))
            filter (where record_status = 'succeeded') as delivers,
        max(batch_ended_at) filter (where record_status = 'succeeded') as delivered_at
    from sync_records
    where identifier is not null and record_status not in ('invalid_null_key', 'invalid_duplicate_key')
    group by organization_id, sync_id, sync_run_id, identifier
),

outcomes as (
    select * from final_attempts
    union all by name
    select
        organization_id, sync_id, sync_run_id, identifier, operation, record_status,
        status_message, record_payload, batch_ended_at
    from sync_records
    where identifier is null or record_status in ('invalid_null_key', 'invalid_duplicate_key')
),

outcomes_followed as (
    select
        outcomes.*,
        runs.position,
        runs.order_at,
        coalesce(last_value(delivers ignore nulls) over (
            partition by outcomes.organization_id, outcomes.sync_id, outcomes.identifier
            order by runs.position asc
            range between unbounded preceding and 1 preceding
        ), false) as was_delivered
    from outcomes
    inner join runs using (organization_id, sync_id, sync_run_id)
)

select
    *,
    case
        when operation = 'delete' then 'removed'
        when identifier is not null and was_delivered then 'changed'
        else 'added'
    end as op_type,
    case record_status
        when 'succeeded' then 'succeeded' when 'not_attempted' then 'aborted' else 'failed'
    end as status,
    case record_status
        when 'failed' then status_message
        when 'invalid_duplicate_key' then 'Invalid record: duplicate identifier'
        when 'invalid_null_key' then 'Invalid record: identifier is null'
    end as failed_reason
from outcomes_followed;

create or replace table sync_runs as
select
    runs.*,
    count_if(op_type = 'added') as num_planned_add,
    count_if(op_type = 'changed') as num_planned_change,
    count_if(op_type = 'removed') as num_planned_remove,
    count_if(op_type = 'added' and changelog.status = 'succeeded') as num_succeeded_add,
    count_if(op_type = 'changed' and changelog.status = 'succeeded') as num_succeeded_change,
    count_if(op_type = 'removed' and changelog.status = 'succeeded') as num_succeeded_remove,
    count_if(op_type = 'added' and changelog.status = 'failed') as num_failed_add,
    count_if(op_type = 'changed' and changelog.status = 'failed') as num_failed_change,
    count_if(op_type = 'removed' and changelog.status = 'failed') as num_failed_remove
from runs
left join sync_changelog as changelog using (organization_id, sync_id, sync_run_id)
group by all;

create or replace table audience_memberships as
with events as (
    select * from sync_changelog
    where delivers is not null and delivers != was_delivered and identifier is not null
),

paired as (
    select
        *,
        lead(struct_pack(exited_at := delivered_at, sync_run_id)) over (
            partition by organization_id, sync_id, identifier order by position asc
        ) as exit
    from events
)

select
    organization_id, sync_id, identifier,
    delivered_at as entered_at,
    exit.exited_at as exited_at,
    sync_run_id as entered_sync_run_id,
    exit.sync_run_id as exited_sync_run_id,
    position > 1 and operation != 'update' as entry_observed
from paired
where delivers;

-- the state of every record: the snapshot, its history and its flaps
create or replace table record_states as
with outcomes as (
    select
        organization_id, sync_id, identifier,
        unnest(arg_max(
            struct_pack(
                last_sync_run_id := sync_run_id, position, operation, op_type, status,
                failed_reason, record_payload, last_attempted_at := batch_ended_at
            ),
            struct_pack(
                position,
                is_valid := record_status not in ('invalid_null_key', 'invalid_duplicate_key'),
                batch_ended_at
            )
        )),
        count(*) as planned_count,
        count_if(status = 'succeeded') as succeeded_count,
        count_if(status = 'failed') as failed_count,
        min(batch_ended_at) as first_attempted_at,
        max(batch_ended_at) filter (where status = 'succeeded') as last_succeeded_at,
        max(batch_ended_at) filter (where status = 'failed') as last_failed_at
    from sync_changelog
    where identifier is not null
    group by organization_id, sync_id, identifier
),

memberships as (
    select
        organization_id, sync_id, identifier,
        count(*) as entry_count,
        count(exited_at) as exit_count,
        count(*) > count(exited_at) as is_delivered
    from audience_memberships
    group by organization_id, sync_id, identifier
)

select
    outcomes.*,
    coalesce(memberships.entry_count, 0) as entry_count,
    coalesce(memberships.exit_count, 0) as exit_count,
    coalesce(memberships.is_delivered, false) as is_delivered
from outcomes
left join memberships using (organization_id, sync_id, identifier);

create or replace table record_errors as
select
    organization_id, sync_id, identifier, failed_reason,
    count(*) as attempt_count,
    min(batch_ended_at) as first_seen_at,
    max(batch_ended_at) as last_seen_at
from sync_changelog
where status = 'failed'
group by organization_id, sync_id, identifier, failed_reason;

create or replace table field_changes as
with payloads as (
    select
        *,
        lag(record_payload) over (
            partition by organization_id, sync_id, identifier order by position asc
        ) as previous_payload
    from sync_changelog
    where
        identifier is not null and record_status in ('succeeded', 'failed')
        and operation != 'delete'
),

changed as (
    select
        organization_id, sync_id, sync_run_id, identifier, batch_ended_at,
        previous_payload::json::map(varchar, varchar) as previous_map,
        record_payload::json::map(varchar, varchar) as new_map
    from payloads
    where previous_payload is not null and record_payload != previous_payload
),

fields_named as (
    select
        *,
        unnest(list_distinct(map_keys(previous_map) || map_keys(new_map))) as field_name
    from changed
)

select
    organization_id, sync_id, sync_run_id, identifier, field_name,
    previous_map[field_name] as previous_value,
    new_map[field_name] as new_value,
    batch_ended_at as changed_at
from fields_named
where previous_map[field_name] is distinct from new_map[field_name];
