{#
  Returns a SQL condition that is never null: a run is settled, so nothing more is expected of it.
  Reads the columns reported_finished_at, reported_outcome, last_batch_ended_at, has_mirror_rows,
  position and sync_run_count of a step.
  Arguments: as_of (SQL expression): "now" of the build.
#}
{% macro is_settled(as_of) -%}
    coalesce(
        reported_finished_at is not null
        or reported_outcome is not null
        or last_batch_ended_at
        < {{ as_of }} - make_dt_interval(0, 0, {{ var('sync_logs_settle_minutes') }})
        or (not has_mirror_rows and position < sync_run_count),
        false
    )
{%- endmacro %}
