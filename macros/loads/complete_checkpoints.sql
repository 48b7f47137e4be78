{#
  Before version 14, a checkpoint could be a delta: the records that had changed since the checkpoint
  before it, on a full one, its base. This completes those of the committed load, so that all
  checkpoints are full. It only adds rows, and none twice, so it can be killed and run again.
#}
{% macro complete_checkpoints(committed_load_id) -%}
    {%- set manifest = sync_logs.state_table('int_runs__planned') -%}
    {%- if 'checkpoint_base_position' in adapter.get_columns_in_relation(manifest) | map(attribute='name') -%}
        {%- for table, key in {
            'int_record_states__built': ['identifier'],
            'int_record_errors__built': ['identifier', 'failed_reason']}.items() -%}
            {%- do run_query(
                sync_logs._missing_rows(sync_logs.state_table(table), manifest, key, committed_load_id)) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#
  Statement: adds to each delta the newest row of each record, from the base on, that it does not have.
  Arguments: table, manifest (relations); key (list of strings): what identifies a row within its sync;
  committed_load_id (string).
#}
{% macro _missing_rows(table, manifest, key, committed_load_id) %}
    {%- set columns = adapter.get_columns_in_relation(table) | map(attribute='name')
        | reject('in', ['load_id', 'position']) | list -%}
    insert into {{ table }} ({{ columns | join(', ') }}, position, load_id)
    with

    checkpoints as (
        select * from {{ manifest }}
        where load_id = '{{ committed_load_id }}' and checkpoint_load_id is not null
    ),

    rows_ranked as (
        select /*+ broadcast(deltas), broadcast(checkpoints) */
            known.*,
            deltas.position as delta_position,
            deltas.checkpoint_load_id as delta_load_id,
            row_number() over (
                partition by
                    known.organization_id, known.sync_id, deltas.position, known.{{ key | join(', known.') }}
                order by known.position desc
            ) as recency_rank
        from {{ table }} as known
        inner join checkpoints
            on
                known.load_id = checkpoints.checkpoint_load_id
                and known.organization_id = checkpoints.organization_id
                and known.sync_id = checkpoints.sync_id
                and known.position = checkpoints.position
        inner join checkpoints as deltas
            on
                known.organization_id = deltas.organization_id
                and known.sync_id = deltas.sync_id
                and known.position between deltas.checkpoint_base_position and deltas.position
    )

    select
        {{ columns | join(', ') }},
        delta_position,
        delta_load_id
    from rows_ranked
    where recency_rank = 1 and position < delta_position
{% endmacro %}
