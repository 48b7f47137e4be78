{#
  The state as a log. For each replayed sync, a build adds the records that its runs changed, with
  their state after the last run (int_record_states__built, int_record_errors__built). A run with
  such rows is a checkpoint. A full checkpoint has all records of the sync. A delta checkpoint names
  the last full one as its base (`checkpoint_base_position`). The state after a checkpoint is the
  newest row of each record from its base on.
#}

{#
  Named steps that end in `<name>_as_of`: the state after certain runs of each sync, in the columns
  of the table.
  Arguments: name (string): the step with the rows of the table, and the source of that name; runs
  (name of a step): all runs of a manifest; position (string): its column with the requested
  position; run_columns (list of strings): columns of `runs`, equal for all runs of a sync, that are added
  to each row; has_changes (SQL condition): false if no checkpoint is a delta, so that Spark does
  not look for newer rows.
#}
{% macro state_as_of(name, runs, position, run_columns=[], has_changes='true') %}
{%- set key = sync_logs._key_of_state(name) -%}
{{ name }}_checkpoints as (
    select
        *,
        position > first_position as is_delta
    from (
        select
            *,
            max(case when position = {{ position }} then coalesce(checkpoint_base_position, position) end)
                over (partition by organization_id, sync_id) as first_position
        from {{ runs }}
    )
    where checkpoint_load_id is not null and position between first_position and {{ position }}
),

{{ name }}_newer as (
    select /*+ broadcast({{ name }}_checkpoints) */
        {{ name }}.organization_id,
        {{ name }}.sync_id,
        {{ name }}.position,
        {{ name }}.{{ key | join(', ' ~ name ~ '.') }}
    from {{ name }}
    inner join {{ name }}_checkpoints
        on {{ sync_logs._is_of_checkpoint(name) }}
    where {{ name }}_checkpoints.is_delta and {{ has_changes }}
),

{{ name }}_as_of as (
    select /*+ broadcast({{ name }}_checkpoints), broadcast({{ name }}_newer) */
        {{ name }}.*
        {%- for column in run_columns %},
            {{ name }}_checkpoints.{{ column }}
        {%- endfor %}
    from {{ name }}
    inner join {{ name }}_checkpoints
        on {{ sync_logs._is_of_checkpoint(name) }}
    left anti join {{ name }}_newer
        on
            {{ name }}.organization_id = {{ name }}_newer.organization_id
            and {{ name }}.sync_id = {{ name }}_newer.sync_id
            {% for column in key %}
                and {{ name }}.{{ column }} <=> {{ name }}_newer.{{ column }}
            {% endfor %}
            and {{ name }}.position < {{ name }}_newer.position
)
{% endmacro %}

{#
  Returns the columns that identify a row within its sync.
  Arguments: name (string): of the source.
#}
{% macro _key_of_state(name) -%}
    {{ return({'record_states': ['identifier'], 'record_errors': ['identifier', 'failed_reason']}[name]) }}
{%- endmacro %}

{% macro _is_of_checkpoint(name) -%}
    {{ name }}.load_id = {{ name }}_checkpoints.checkpoint_load_id
    and {{ name }}.organization_id = {{ name }}_checkpoints.organization_id
    and {{ name }}.sync_id = {{ name }}_checkpoints.sync_id
    and {{ name }}.position = {{ name }}_checkpoints.position
{%- endmacro %}
