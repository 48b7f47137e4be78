{#
  Query: of a table that holds checkpoints, the rows from which the replayed syncs start.
  Arguments: name (that of the source), next (`whole` or `changes`), kinds (of `kinds_of_starts`). `whole`: of syncs
  whose next checkpoint is whole, all rows. `changes`: of those whose next one lies over the same base, what the
  start has beside the base, and what the base has of records with rows in the replayed runs; the rest of it
  stays where it is.
#}
{% macro rows_at_starts(name, next, kinds) %}
{%- set key = sync_logs.checkpoint_key(name) -%}
{%- if not kinds[next] %}
    select {{ sync_logs.columns_of_checkpoint(name, 'checkpoint_rows') }}
    from {{ sync_logs.committed(name) }} as checkpoint_rows
    where false
{%- else %}
with

runs_planned as (
    select * from {{ ref('int_runs__planned') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

load_current as (
    select * from {{ sync_logs.committed('load_current') }}
),

checkpoint_rows as (
    select * from {{ sync_logs.committed(name) }}
),

runs_continued as (
    select
        *,
        max(case when is_replayed then checkpoint_base_position end)
            over (partition by organization_id, sync_id) is null as is_next_whole
    from runs_planned
    where start_position < sync_run_count
),

runs_to_start as (
    select * from runs_continued
    where {{ 'is_next_whole' if next == 'whole' else 'not is_next_whole' }}
),

starts as (
    {{ sync_logs.checkpoint_layers('runs_to_start', 'start_position') }}
),

changed_rows as (
    {{ sync_logs.changed_keys(
        'checkpoint_rows', 'starts', key, '(select load_current.has_changes from load_current)') }}
),

rows_at_starts as (
    select /*+ broadcast(starts), broadcast(changed_rows) */
        {{ sync_logs.columns_of_checkpoint(name, 'checkpoint_rows') }},
        starts.has_base
    from {{ sync_logs.layered_rows('checkpoint_rows', 'starts', 'changed_rows', key) }}
)

{%- if next == 'whole' %}

select {{ sync_logs.columns_of_checkpoint(name, 'rows_at_starts') }}
from rows_at_starts
{%- else %},

files_landed as (
    select * from {{ ref('int_files__landed') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

records as (
    select * from {{ ref('stg_sync_logs__records') }}
),

files_replayed as (
    {{ sync_logs.files_replayed('files_landed', 'runs_to_start') }}
),

records_replayed as (
    select /*+ broadcast(files_replayed) */ distinct
        records.organization_id,
        records.sync_id,
        records.identifier
    from records
    inner join files_replayed
        on {{ sync_logs.is_of_file('records', 'files_replayed') }}
)

select /*+ broadcast(records_replayed) */ {{ sync_logs.columns_of_checkpoint(name, 'rows_at_starts') }}
from rows_at_starts
left join records_replayed
    on
        {{ sync_logs.has_same_key(
            'rows_at_starts', 'records_replayed', {'columns': ['identifier'], 'equals': key.equals}) }}
where rows_at_starts.has_base or records_replayed.sync_id is not null
{%- endif %}
{%- endif %}
{% endmacro %}

{#
  What kinds of checkpoints this build makes of earlier ones: {whole: boolean, changes: boolean}. Both where that
  cannot be asked, or nobody will read the answer.
#}
{% macro kinds_of_starts() -%}
    {%- if not sync_logs.is_building() or model.resource_type != 'model' or sync_logs.is_idle() -%}
        {{ return({'whole': true, 'changes': true}) }}
    {%- endif -%}
    {%- set query -%}
        select
            coalesce(bool_or(checkpoint_base_position is null), false) as has_whole,
            coalesce(bool_or(checkpoint_base_position is not null), false) as has_changes
        from {{ sync_logs.state_table('int_runs__planned') }}
        where
            load_id = '{{ sync_logs.load_id() }}'
            and checkpoint_load_id = load_id
            and start_position > 0
    {%- endset -%}
    {%- set found = run_query(query).rows[0] -%}
    {{ return({'whole': found[0], 'changes': found[1]}) }}
{%- endmacro %}
