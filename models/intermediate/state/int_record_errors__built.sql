{#
  Reasons with which the records of the replayed syncs have failed, at the checkpoints of their
  states.
#}
with

changelog as (
    select * from {{ sync_logs.of_load(ref('int_changelog__built')) }}
),

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

load_current as (
    select * from {{ sync_logs.committed('load_current') }}
),

record_errors as (
    select * from {{ sync_logs.committed('record_errors') }}
),

checkpoints as (
    {{ sync_logs.new_checkpoints('runs_planned') }}
),

runs_continued as (
    {{ sync_logs.continued_runs('runs_planned') }}
),

{{ sync_logs.state_as_of(
    'record_errors', 'runs_continued', 'start_position', run_columns=['is_next_full'],
    has_changes='(select load_current.has_changes from load_current)') }},

records_failed as (
    select distinct
        organization_id,
        sync_id,
        identifier
    from changelog
    where status = 'failed'
),

starting_errors as (
    select record_errors_as_of.*
    from record_errors_as_of
    left join records_failed
        on
            record_errors_as_of.organization_id = records_failed.organization_id
            and record_errors_as_of.sync_id = records_failed.sync_id
            and record_errors_as_of.identifier <=> records_failed.identifier
    where
        {{ 'true' if sync_logs.continued_record_count() else 'false' }}
        and (record_errors_as_of.is_next_full or records_failed.sync_id is not null)
),

{{ sync_logs.record_errors_at('changelog', 'starting_errors', 'checkpoints') }}
