{# The history of builds: the committed ones and this one. Written last before the commit. #}
{# an idle build adds its row to the last load #}
{% set target_load_id = sync_logs.target_load_id() %}
-- depends_on: {{ ref('int_record_states__built') }}
-- depends_on: {{ ref('int_record_errors__built') }}
-- depends_on: {{ ref('int_field_changes__built') }}
-- depends_on: {{ ref('int_syncs__counted') }}
-- depends_on: {{ ref('int_days__counted') }}
-- depends_on: {{ ref('int_error_categories__counted') }}
with

committed_loads as (
    select * from {{ sync_logs.of_committed(sync_logs.committed('loads')) }}
),

files_planned as (
    select * from {{ sync_logs.of_load(ref('int_files__planned')) }}
),

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = '{{ target_load_id }}'
),

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ target_load_id }}'
),

file_counts as (
    select
        count_if(is_in_lake) as listed_file_count,
        count_if(action = 'load' and not is_committed) as new_file_count,
        count_if(action = 'load' and is_committed) as changed_file_count,
        count_if(not is_in_lake) as vanished_file_count
    from files_planned
    where file_kind != 'other'
),

landed_counts as (
    select
        coalesce(
            sum(record_count) filter (
                where landed_load_id = {{ sync_logs.this_load() }} and file_kind = 'batch'
            ),
            0
        ) as landed_record_count,
        count_if(is_in_lake and file_kind != 'other' and issue is not null)
            as unreadable_file_count
    from files_landed
),

run_counts as (
    select
        count(*) as run_count,
        count_if(summarised_load_id = {{ sync_logs.this_load() }}) as landed_run_count,
        count_if(built_load_id = {{ sync_logs.this_load() }}) as replayed_run_count,
        -- not count(distinct), which needs a shuffle of its own
        size(
            collect_set(struct(organization_id, sync_id)) filter (
                where built_load_id = {{ sync_logs.this_load() }}
            )
        ) as replayed_sync_count
    from runs_planned
)

select
    recorded_load_id,
    started_at,
    as_of,
    finished_at,
    listed_file_count,
    new_file_count,
    changed_file_count,
    vanished_file_count,
    unreadable_file_count,
    landed_record_count,
    run_count,
    landed_run_count,
    replayed_run_count,
    replayed_sync_count,
    is_full_refresh,
    coalesce(operation, 'build') as operation
from committed_loads
where '{{ target_load_id }}' = {{ sync_logs.this_load() }}

union all

select
    {{ sync_logs.this_load() }} as recorded_load_id,
    {{ sync_logs.build_started_at() }} as started_at,
    {{ sync_logs.as_of() }} as as_of,
    current_timestamp() as finished_at,
    file_counts.listed_file_count,
    file_counts.new_file_count,
    file_counts.changed_file_count,
    file_counts.vanished_file_count,
    landed_counts.unreadable_file_count,
    landed_counts.landed_record_count,
    run_counts.run_count,
    run_counts.landed_run_count,
    run_counts.replayed_run_count,
    run_counts.replayed_sync_count,
    {{ sync_logs.is_full_refresh() }} as is_full_refresh,
    'build' as operation
from file_counts
cross join landed_counts
cross join run_counts
