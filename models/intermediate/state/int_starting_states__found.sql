{#
  State of the records of each replayed sync at the start of its replay: of those with rows in the
  replayed runs, or of all records if the build writes a checkpoint of the sync or one of the runs is
  replacing. It is looked up once and stored, because all later steps that follow the records need it.
#}
{% set record_count = sync_logs.continued_record_count() %}
{% set fits_in_memory = record_count <= sync_logs.most_changes() %}
with

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

files_landed as (
    select * from {{ sync_logs.of_load(ref('int_files__landed')) }}
),

records as (
    select * from {{ ref('int_records__logged') }}
),

record_states as (
    select * from {{ sync_logs.committed('record_states') }}
),

changelog as (
    select * from {{ sync_logs.committed('changelog') }}
),

runs_continued as (
    select
        *,
        bool_or(is_replayed and (is_replacing or checkpoint_load_id = {{ sync_logs.this_load() }}))
            over (partition by organization_id, sync_id) as is_whole
    from runs_planned
    where
        start_position > 0
        and start_position < sync_run_count
        -- if it is false, Spark reads no records
        and {{ 'true' if record_count else 'false' }}
),

syncs_continued as (
    select
        organization_id,
        sync_id,
        is_whole
    from runs_continued
    where position = start_position
),

{{ sync_logs.state_as_of('runs_continued', 'start_position', fits_in_memory) }},

files_replayed as (
    {{ sync_logs.files_replayed('files_landed', 'runs_continued') }}
),

records_replayed as (
    select /*+ broadcast(files_replayed) */
        records.organization_id,
        records.sync_id,
        records.identifier,
        min(files_replayed.position) as first_replayed_position
    from records
    inner join files_replayed
        on {{ sync_logs.is_of_file('records', 'files_replayed') }}
    where records.identifier is not null
    group by records.organization_id, records.sync_id, records.identifier
)

select /*+ broadcast(syncs_continued) {{- ', broadcast(records_replayed)' if fits_in_memory }} */
    states_as_of.*,
    records_replayed.first_replayed_position
from states_as_of
inner join syncs_continued
    on
        states_as_of.organization_id = syncs_continued.organization_id
        and states_as_of.sync_id = syncs_continued.sync_id
left join records_replayed
    on
        states_as_of.organization_id = records_replayed.organization_id
        and states_as_of.sync_id = records_replayed.sync_id
        and states_as_of.identifier = records_replayed.identifier
where syncs_continued.is_whole or records_replayed.first_replayed_position is not null
