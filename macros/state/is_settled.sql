{#
  Whether a run is settled, so that nothing more is expected of it. Never null. Of a step with the columns
  reported_finished_at, reported_outcome, last_batch_ended_at, has_mirror_rows, position and sync_run_count.
#}
{% macro is_settled() -%}
    coalesce(
        reported_finished_at is not null
        or reported_outcome is not null
        or last_batch_ended_at
        < {{ sync_logs.as_of() }} - make_dt_interval(0, 0, {{ var('sync_logs_settle_minutes') }})
        or (not has_mirror_rows and position < sync_run_count),
        false
    )
{%- endmacro %}
