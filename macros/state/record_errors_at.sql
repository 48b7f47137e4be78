{#
  Named steps and the last query of a `with` list: the reasons with which every record has failed up
  to certain runs, from an earlier state and what happened since.
  Arguments: as in `record_states_at`; changelog: the rows since the earlier state; starting_errors:
  the errors at that state.
#}
{% macro record_errors_at(changelog, starting_errors, checkpoints) %}
errors_found as (
    select
        organization_id,
        sync_id,
        identifier,
        failed_reason,
        position,
        1 as attempt_count,
        attempted_at as first_seen_at,
        attempted_at as last_seen_at,
        position as last_seen_position,
        sync_run_id as last_sync_run_id
    from {{ changelog }}
    where status = 'failed'

    union all

    select
        organization_id,
        sync_id,
        identifier,
        failed_reason,
        position,
        attempt_count,
        first_seen_at,
        last_seen_at,
        last_seen_position,
        last_sync_run_id
    from {{ starting_errors }}
)

select
    errors_found.organization_id,
    errors_found.sync_id,
    errors_found.identifier,
    checkpoints.checkpoint_position as position,
    errors_found.failed_reason,
    sum(errors_found.attempt_count) as attempt_count,
    min(errors_found.first_seen_at) as first_seen_at,
    max(errors_found.last_seen_at) as last_seen_at,
    max(errors_found.last_seen_position) as last_seen_position,
    max_by(errors_found.last_sync_run_id, errors_found.last_seen_position) as last_sync_run_id
from errors_found
inner join {{ checkpoints }} as checkpoints
    on
        errors_found.organization_id = checkpoints.organization_id
        and errors_found.sync_id = checkpoints.sync_id
        and errors_found.position <= checkpoints.checkpoint_position
group by
    errors_found.organization_id,
    errors_found.sync_id,
    errors_found.identifier,
    errors_found.failed_reason,
    checkpoints.checkpoint_position
{% endmacro %}
