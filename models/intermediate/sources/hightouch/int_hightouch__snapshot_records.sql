{#
  What the snapshots that this build reads say about their runs. A record that the run did not send
  is news only if nothing is known of it. A record that is in, and that the snapshot does not have,
  has left with the run.
#}
{{ config(enabled=sync_logs.table_sources('hightouch') | length > 0) }}
with

snapshots as (
    select * from {{ ref('int_hightouch__snapshots') }}
),

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

committed_runs as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('runs')) }}
),

record_states as (
    select * from {{ sync_logs.committed('record_states') }}
),

changelog as (
    select * from {{ sync_logs.committed('changelog') }}
),

runs_to_read as (
    select
        organization_id,
        sync_id,
        sync_run_id
    from files_planned
    where action = 'load' and file_path is null and file_name = 'sync_snapshot'
),

runs_of_syncs as (
    select committed_runs.*
    from committed_runs
    left semi join runs_to_read
        on
            committed_runs.organization_id = runs_to_read.organization_id
            and committed_runs.sync_id = runs_to_read.sync_id
),

{{ sync_logs.state_as_of('runs_of_syncs', 'sync_run_count') }},

snapshots_to_read as (
    select
        snapshots.*,
        snapshots.op_type in ('added', 'changed', 'removed') as is_sent,
        {{ sync_logs.record_status('snapshots.status', 'snapshots.row_id') }} as record_status
    from snapshots
    left semi join runs_to_read
        on
            snapshots.organization_id = runs_to_read.organization_id
            and snapshots.sync_id = runs_to_read.sync_id
            and snapshots.sync_run_id = runs_to_read.sync_run_id
),

rows_with_news as (
    select snapshots_to_read.*
    from snapshots_to_read
    left join states_as_of
        on
            snapshots_to_read.organization_id = states_as_of.organization_id
            and snapshots_to_read.sync_id = states_as_of.sync_id
            and snapshots_to_read.row_id = states_as_of.identifier
    where snapshots_to_read.is_sent is true or states_as_of.identifier is null
),

-- not of the plan: a snapshot that is replaced while it is read says nothing
runs_read as (
    select distinct
        organization_id,
        sync_id,
        sync_run_id
    from snapshots_to_read
),

records_vanished as (
    select
        states_as_of.organization_id,
        states_as_of.sync_id,
        runs_read.sync_run_id,
        states_as_of.identifier as row_id
    from states_as_of
    inner join runs_read
        on
            states_as_of.organization_id = runs_read.organization_id
            and states_as_of.sync_id = runs_read.sync_id
    left anti join snapshots_to_read
        on
            states_as_of.organization_id = snapshots_to_read.organization_id
            and states_as_of.sync_id = snapshots_to_read.sync_id
            and states_as_of.identifier = snapshots_to_read.row_id
    where states_as_of.is_delivered
)

select
    organization_id,
    sync_id,
    sync_run_id,
    row_id,
    operation,
    case when is_sent is true then status else coalesce(status, 'succeeded') end as status,
    failure_reason,
    fields,
    split_group,
    case
        when is_sent is true then op_type
        -- never accepted, so it is not in
        when record_status = 'failed' then 'added'
        else 'changed'
    end as reported_op_type
from rows_with_news

union all

select
    organization_id,
    sync_id,
    sync_run_id,
    row_id,
    'vanished' as operation,
    'succeeded' as status,
    cast(null as string) as failure_reason,
    cast(null as string) as fields,
    cast(null as string) as split_group,
    'vanished' as reported_op_type
from records_vanished
