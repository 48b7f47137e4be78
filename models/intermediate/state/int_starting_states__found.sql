{#
  State of the records of each replayed sync at the start of its replay: all records if the next
  checkpoint is full, otherwise only those with rows in the replayed runs. It is looked up once and
  stored, because all later steps that follow the records need it.
#}
{% set record_count = sync_logs.continued_record_count() %}
{% if record_count == 0 %}{% do sync_logs.nothing_to_load() %}{% endif %}
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

load_current as (
    select * from {{ sync_logs.committed('load_current') }}
),

record_states as (
    select * from {{ sync_logs.committed('record_states') }}
),

runs_continued as (
    {{ sync_logs.continued_runs('runs_planned') }}
),

{{ sync_logs.state_as_of(
    'record_states', 'runs_continued', 'start_position', run_columns=['is_next_full'],
    has_changes='(select load_current.has_changes from load_current)') }},

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

select {{ '/*+ broadcast(records_replayed) */' if record_count <= sync_logs.most_changes() }}
    record_states_as_of.*,
    records_replayed.first_replayed_position
from record_states_as_of
left join records_replayed
    on
        record_states_as_of.organization_id = records_replayed.organization_id
        and record_states_as_of.sync_id = records_replayed.sync_id
        and record_states_as_of.identifier = records_replayed.identifier
where record_states_as_of.is_next_full or records_replayed.first_replayed_position is not null
