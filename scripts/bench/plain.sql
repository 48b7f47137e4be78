-- What a full build of the project must do, in plain Spark, tuned by hand: the tables of peer.sql,
-- the state that the next build starts from (which files exist and that all their rows were read,
-- the last compared payload of a record, the running counts), and rows ordered by record, where a
-- search finds them. It has no audit of bad files, no late runs, no replacing runs and no
-- protection against killed builds. `raw_batches`, `raw_files` and `raw_metadata` are the raw lake.
-- Whatever a full build takes beyond this is the cost of the rest.

create or replace temporary view plain_runs as
select
    organization_id,
    sync_configuration_id as sync_id,
    sync_run_id,
    cast(sync_run_started_at as timestamp) as order_at,
    cast(sync_run_finished_at as timestamp) as finished_at,
    sync_run_status as status,
    model_name,
    row_number() over (
        partition by organization_id, sync_configuration_id
        order by cast(sync_run_started_at as timestamp) asc, cast(sync_run_id as bigint) asc
    ) as position
from raw_metadata;

create table {schema}.sync_records using parquet {pages} as
select /*+ broadcast(raw_files) */
    raw_files.organization_id,
    raw_files.sync_id,
    raw_files.sync_run_id,
    raw_files.file_name,
    raw_files.batch_number,
    raw_batches.row_index,
    raw_batches.identifier,
    raw_batches.record_payload,
    lower(trim(raw_batches.operation)) as operation,
    raw_batches.status,
    case
        when raw_batches.status is null and raw_batches.identifier is null then 'invalid_null_key'
        else case lower(trim(raw_batches.status))
            when 'succeeded' then 'succeeded'
            when 'rejected' then 'failed'
            when 'failed' then 'failed'
            when 'null' then 'invalid_null_key'
            when 'duplicate' then 'invalid_duplicate_key'
            when 'aborted' then 'not_attempted'
            else 'unknown'
        end
    end as record_status,
    raw_batches.status_message,
    raw_batches.batch_started_at,
    raw_batches.batch_ended_at
from raw_batches
inner join raw_files
    on raw_batches.file_path = raw_files.file_path;

create table {schema}.files using parquet as
with rows_in_files as (
    select
        file_path,
        count(*) as footer_record_count
    from raw_batches
    group by file_path
),

rows_read as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        file_name,
        count(*) as record_count
    from {schema}.sync_records
    group by organization_id, sync_id, sync_run_id, file_name
)

select *
from raw_files
left join rows_in_files using (file_path)
left join rows_read using (organization_id, sync_id, sync_run_id, file_name);

create table {schema}.sync_changelog using parquet {pages} as
with attempts as (
    select /*+ broadcast(plain_runs) */
        records.*,
        plain_runs.position,
        plain_runs.order_at,
        records.identifier is not null
        and records.record_status not in ('invalid_null_key', 'invalid_duplicate_key') as is_ranked,
        coalesce(records.identifier, concat_ws('/', records.file_name, records.row_index)) as record_key,
        case records.record_status
            when 'succeeded' then 3
            when 'failed' then 3
            when 'not_attempted' then 2
            else 1
        end as attempt_rank
    from {schema}.sync_records as records
    inner join plain_runs
        on
            records.organization_id = plain_runs.organization_id
            and records.sync_id = plain_runs.sync_id
            and records.sync_run_id = plain_runs.sync_run_id
    distribute by records.organization_id, records.sync_id, record_key
),

attempts_followed as (
    select
        *,
        lead(row_index) over (
            partition by organization_id, sync_id, record_key, position, is_ranked
            order by attempt_rank asc, batch_ended_at asc, batch_number asc, file_name asc, row_index asc
        ) is null as is_last,
        last_value(
            case when is_ranked and record_status = 'succeeded' then struct(operation, batch_ended_at) end,
            true
        ) over (
            partition by organization_id, sync_id, record_key, position, is_ranked
            order by attempt_rank asc, batch_ended_at asc, batch_number asc, file_name asc, row_index asc
            rows between unbounded preceding and current row
        ) as deciding
    from attempts
),

outcomes as (
    select
        *,
        deciding.operation != 'delete' as delivers,
        deciding.batch_ended_at as delivered_at
    from attempts_followed
    where is_last or not is_ranked
),

outcomes_followed as (
    select
        *,
        coalesce(last_value(delivers, true) over (
            partition by organization_id, sync_id, record_key
            order by position asc
            range between unbounded preceding and 1 preceding
        ), false) as was_delivered
    from outcomes
)

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    position,
    order_at,
    operation,
    record_status,
    record_payload,
    batch_ended_at,
    delivers,
    delivered_at,
    was_delivered,
    case
        when operation = 'delete' then 'removed'
        when identifier is not null and was_delivered then 'changed'
        else 'added'
    end as op_type,
    case record_status
        when 'succeeded' then 'succeeded'
        when 'not_attempted' then 'aborted'
        else 'failed'
    end as status,
    case record_status
        when 'failed' then status_message
        when 'invalid_duplicate_key' then 'Invalid record: duplicate identifier'
        when 'invalid_null_key' then 'Invalid record: identifier is null'
    end as failed_reason,
    identifier is not null and record_status in ('succeeded', 'failed') and operation != 'delete' as is_compared
from outcomes_followed
sort by organization_id, sync_id, record_key;

create table {schema}.sync_runs using parquet as
with counts as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        count_if(op_type = 'added') as num_planned_add,
        count_if(op_type = 'changed') as num_planned_change,
        count_if(op_type = 'removed') as num_planned_remove,
        count_if(op_type = 'added' and status = 'succeeded') as num_succeeded_add,
        count_if(op_type = 'changed' and status = 'succeeded') as num_succeeded_change,
        count_if(op_type = 'removed' and status = 'succeeded') as num_succeeded_remove,
        count_if(op_type = 'added' and status = 'failed') as num_failed_add,
        count_if(op_type = 'changed' and status = 'failed') as num_failed_change,
        count_if(op_type = 'removed' and status = 'failed') as num_failed_remove
    from {schema}.sync_changelog
    group by organization_id, sync_id, sync_run_id
)

select *
from plain_runs
left join counts using (organization_id, sync_id, sync_run_id);

create table {schema}.audience_memberships using parquet {pages} as
with events as (
    select *
    from {schema}.sync_changelog
    where delivers != was_delivered and identifier is not null
),

paired as (
    select
        *,
        lead(struct(delivered_at, sync_run_id)) over (
            partition by organization_id, sync_id, identifier
            order by position asc
        ) as exit
    from events
)

select
    organization_id,
    sync_id,
    identifier,
    delivered_at as entered_at,
    exit.delivered_at as exited_at,
    sync_run_id as entered_sync_run_id,
    exit.sync_run_id as exited_sync_run_id,
    position > 1 and operation != 'update' as entry_observed
from paired
where delivers;

create table {schema}.record_states using parquet {pages} as
-- each payload is in one of two columns, so that the shuffle carries it once
with outcomes as (
    select
        *,
        xxhash64(organization_id, sync_id, identifier) as record_hash,
        case when is_compared then struct(sync_run_id, record_payload) end as compared_outcome,
        case when not is_compared then record_payload end as uncompared_payload
    from {schema}.sync_changelog
    where identifier is not null
),

outcomes_folded as (
    select
        *,
        lead(position) over record_so_far is null as is_last,
        count(*) over until_now as planned_count,
        count_if(status = 'succeeded') over until_now as succeeded_count,
        count_if(status = 'failed') over until_now as failed_count,
        min(batch_ended_at) over until_now as first_attempted_at,
        max(case when status = 'succeeded' then batch_ended_at end) over until_now as last_succeeded_at,
        max(case when status = 'failed' then batch_ended_at end) over until_now as last_failed_at,
        last_value(compared_outcome, true) over until_now as compared,
        bool_or(record_status in ('succeeded', 'failed')) over until_now as has_been_reached,
        count_if(status = 'aborted') over until_now as aborted_count,
        count_if(status = 'succeeded' and op_type = 'added') over until_now as added_count,
        count_if(status = 'succeeded' and op_type = 'changed') over until_now as changed_count,
        count_if(status = 'succeeded' and op_type = 'removed') over until_now as removed_count,
        min(case when status = 'succeeded' and op_type = 'added' then batch_ended_at end)
            over until_now as first_added_at
    from outcomes
    window
        record_so_far as (
            partition by record_hash, organization_id, sync_id, identifier
            order by
                position asc,
                record_status not in ('invalid_null_key', 'invalid_duplicate_key') asc,
                batch_ended_at asc
        ),
        until_now as (
            partition by record_hash, organization_id, sync_id, identifier
            order by
                position asc,
                record_status not in ('invalid_null_key', 'invalid_duplicate_key') asc,
                batch_ended_at asc
            rows between unbounded preceding and current row
        )
),

memberships as (
    select
        xxhash64(organization_id, sync_id, identifier) as record_hash,
        organization_id,
        sync_id,
        identifier,
        count(*) as entry_count,
        count(exited_at) as exit_count,
        max_by(struct(entered_at, entered_sync_run_id, entry_observed), entered_at) as last_entry
    from {schema}.audience_memberships
    group by xxhash64(organization_id, sync_id, identifier), organization_id, sync_id, identifier
)

select
    outcomes_folded.organization_id,
    outcomes_folded.sync_id,
    outcomes_folded.identifier,
    outcomes_folded.sync_run_id as last_sync_run_id,
    outcomes_folded.position,
    outcomes_folded.operation,
    outcomes_folded.op_type,
    outcomes_folded.status,
    outcomes_folded.failed_reason,
    coalesce(outcomes_folded.compared_outcome.record_payload, outcomes_folded.uncompared_payload) as record_payload,
    outcomes_folded.compared.sync_run_id as compared_sync_run_id,
    case when not outcomes_folded.is_compared then outcomes_folded.compared.record_payload end as compared_payload,
    outcomes_folded.has_been_reached,
    outcomes_folded.batch_ended_at as last_attempted_at,
    outcomes_folded.planned_count,
    outcomes_folded.succeeded_count,
    outcomes_folded.failed_count,
    outcomes_folded.aborted_count,
    outcomes_folded.added_count,
    outcomes_folded.changed_count,
    outcomes_folded.removed_count,
    outcomes_folded.first_added_at,
    outcomes_folded.first_attempted_at,
    outcomes_folded.last_succeeded_at,
    outcomes_folded.last_failed_at,
    coalesce(memberships.entry_count, 0) as entry_count,
    coalesce(memberships.exit_count, 0) as exit_count,
    memberships.last_entry,
    coalesce(memberships.entry_count > memberships.exit_count, false) as is_delivered
from outcomes_folded
left join memberships
    on
        outcomes_folded.record_hash = memberships.record_hash
        and outcomes_folded.organization_id = memberships.organization_id
        and outcomes_folded.sync_id = memberships.sync_id
        and outcomes_folded.identifier = memberships.identifier
where outcomes_folded.is_last
sort by outcomes_folded.organization_id, outcomes_folded.sync_id, outcomes_folded.identifier;

create table {schema}.record_errors using parquet {pages} as
select
    organization_id,
    sync_id,
    identifier,
    failed_reason,
    count(*) as attempt_count,
    min(batch_ended_at) as first_seen_at,
    max(batch_ended_at) as last_seen_at,
    max(position) as last_seen_position
from {schema}.sync_changelog
where status = 'failed'
group by organization_id, sync_id, identifier, failed_reason
sort by organization_id, sync_id, identifier;

create table {schema}.field_changes using parquet {pages} as
with payloads as (
    select *
    from {schema}.sync_changelog
    where is_compared
),

payloads_followed as (
    select
        *,
        lag(record_payload) over (
            partition by organization_id, sync_id, identifier
            order by position asc
        ) as previous_payload
    from payloads
),

payloads_parsed as (
    select
        *,
        from_json(concat('[', previous_payload, ',', record_payload, ']'), 'array<map<string,string>>') as both
    from payloads_followed
    where record_payload != previous_payload
),

fields_named as (
    select
        *,
        explode_outer(array_distinct(concat(map_keys(both[0]), map_keys(both[1])))) as field_name
    from payloads_parsed
)

select
    organization_id,
    sync_id,
    sync_run_id,
    identifier,
    field_name,
    try_element_at(both[0], field_name) as previous_value,
    try_element_at(both[1], field_name) as new_value,
    batch_ended_at as changed_at
from fields_named
where try_element_at(both[0], field_name) is distinct from try_element_at(both[1], field_name)
