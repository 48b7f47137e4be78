{#
  The changelog as a log of the state. Each of its rows has the state of its record after it. The state
  after a run is the last checkpoint of its sync up to that run and, after that, the newest row of each
  record. A replacing run takes out the records that it does not have, without a row for them.
#}

{#
  Named steps that end in `states_as_of`: the state of every record after certain runs, in the columns of
  int_record_states__built. They read the steps `record_states` and `changelog`, with all loads.
  Arguments: runs (name of a step): all runs of a manifest; position (string): its column with the requested
  position of each sync; fits_in_memory (boolean): whether the changes since the checkpoints do.
#}
{% macro state_as_of(runs, position, fits_in_memory=true) %}
{{ sync_logs._requested_runs(runs, position) }},

replacements_as_of as (
    {{ sync_logs.replacements(runs) }}
),

changes_as_of as (
    select /*+ broadcast(runs_as_of) */
        changelog.*,
        runs_as_of.requested_position
    from changelog
    inner join runs_as_of
        on {{ sync_logs._is_after_checkpoint('changelog') }}
    where changelog.identifier is not null
),

changes_followed as (
    select
        *,
        lead(position) over (
            partition by organization_id, sync_id, identifier
            order by {{ sync_logs.changelog_order(sync_logs.is_invalid('record_status')) }}
        ) is null as is_last
    from changes_as_of
),

last_changes as (
    select * from changes_followed
    where is_last
),

states_unchanged as (
    select /*+ broadcast(runs_as_of) {{- ', broadcast(changes_as_of)' if fits_in_memory }} */
        record_states.*,
        runs_as_of.requested_position
    from record_states
    inner join runs_as_of
        on
            record_states.load_id = runs_as_of.checkpoint_load_id
            and record_states.organization_id = runs_as_of.organization_id
            and record_states.sync_id = runs_as_of.sync_id
            and record_states.position = runs_as_of.position
            and runs_as_of.position = runs_as_of.checkpoint_position
    left anti join changes_as_of
        on
            record_states.organization_id = changes_as_of.organization_id
            and record_states.sync_id = changes_as_of.sync_id
            and record_states.identifier = changes_as_of.identifier
),

{{ sync_logs.record_states_after('last_changes', 'states_unchanged', 'replacements_as_of') }}
{% endmacro %}

{#
  Named steps that end in `errors_as_of`: the reasons with which every record has failed up to certain
  runs, in the columns of int_record_errors__built. They read the steps `record_errors` and `changelog`.
  Arguments: as in `state_as_of`.
#}
{% macro errors_as_of(runs, position) %}
{{ sync_logs._requested_runs(runs, position) }},

errors_found as (
    select /*+ broadcast(runs_as_of) */
        changelog.organization_id,
        changelog.sync_id,
        changelog.identifier,
        changelog.failed_reason,
        changelog.failure_pattern,
        runs_as_of.requested_position,
        1 as attempt_count,
        changelog.attempted_at as first_seen_at,
        changelog.attempted_at as last_seen_at,
        changelog.position as first_seen_position,
        changelog.sync_run_id as first_sync_run_id,
        changelog.position as last_seen_position,
        changelog.sync_run_id as last_sync_run_id
    from changelog
    inner join runs_as_of
        on {{ sync_logs._is_after_checkpoint('changelog') }}
    where changelog.status = 'failed'

    union all

    select /*+ broadcast(runs_as_of) */
        record_errors.organization_id,
        record_errors.sync_id,
        record_errors.identifier,
        record_errors.failed_reason,
        -- a checkpoint of pruned runs may be older than patterns
        coalesce(record_errors.failure_pattern, record_errors.failed_reason) as failure_pattern,
        runs_as_of.requested_position,
        record_errors.attempt_count,
        record_errors.first_seen_at,
        record_errors.last_seen_at,
        record_errors.first_seen_position,
        record_errors.first_sync_run_id,
        record_errors.last_seen_position,
        record_errors.last_sync_run_id
    from record_errors
    inner join runs_as_of
        on
            record_errors.load_id = runs_as_of.checkpoint_load_id
            and record_errors.organization_id = runs_as_of.organization_id
            and record_errors.sync_id = runs_as_of.sync_id
            and record_errors.position = runs_as_of.position
            and runs_as_of.position = runs_as_of.checkpoint_position
),

errors_as_of as (
    select
        organization_id,
        sync_id,
        identifier,
        requested_position as position,
        failed_reason,
        failure_pattern,
        sum(attempt_count) as attempt_count,
        min(first_seen_at) as first_seen_at,
        max(last_seen_at) as last_seen_at,
        min(first_seen_position) as first_seen_position,
        min_by(first_sync_run_id, first_seen_position) as first_sync_run_id,
        max(last_seen_position) as last_seen_position,
        max_by(last_sync_run_id, last_seen_position) as last_sync_run_id
    from errors_found
    group by
        organization_id, sync_id, identifier, failed_reason, failure_pattern, requested_position
)
{% endmacro %}

{# Named step: the runs, each with the requested position and the last checkpoint up to it (0 if none). #}
{% macro _requested_runs(runs, position) -%}
runs_as_of as (
    select
        *,
        {{ position }} as requested_position,
        coalesce(
            max(case when checkpoint_load_id is not null and position <= {{ position }} then position end)
                over (partition by organization_id, sync_id),
            0
        ) as checkpoint_position
    from {{ runs }}
)
{%- endmacro %}

{# Returns a SQL condition: a row of the changelog is of a run after the checkpoint, up to the request. #}
{% macro _is_after_checkpoint(changelog) -%}
    {{ changelog }}.load_id = runs_as_of.built_load_id
    and {{ changelog }}.organization_id = runs_as_of.organization_id
    and {{ changelog }}.sync_id = runs_as_of.sync_id
    and {{ changelog }}.position = runs_as_of.position
    and runs_as_of.position > runs_as_of.checkpoint_position
    and runs_as_of.position <= runs_as_of.requested_position
{%- endmacro %}
