{#
  Returns a SQL expression: one sentence that says what an alert has found.
  Arguments (SQL expressions): rule, failure_pattern (strings); value (double).
#}
{% macro alert_message(rule, value, failure_pattern) -%}
    case {{ rule }}
        when 'run_failed' then 'The run failed or was aborted.'
        when 'rejection_rate'
            then format_string('The destination rejected %.1f %% of the records.', 100 * {{ value }})
        when 'invalid_rate'
            then format_string('%.1f %% of the planned records were invalid.', 100 * {{ value }})
        when 'new_error_pattern'
            then concat(
                format_string('%.0f records failed with a new error: ', {{ value }}),
                coalesce({{ failure_pattern }}, '(no message)')
            )
        when 'record_count'
            then format_string(
                'The run had far more or fewer records than usual: %.1f median deviations away.', {{ value }}
            )
        when 'mass_removal'
            then format_string('%.1f %% of the audience left in one run.', 100 * {{ value }})
        when 'full_resync'
            then format_string(
                '%.1f %% of the records that the run added were in the destination already.', 100 * {{ value }}
            )
        when 'duration'
            then format_string('The run took %.1f times as long as usual.', {{ value }})
        when 'incomplete_log' then 'The log of the run is incomplete: see log_coverage.'
        when 'old_failures'
            then format_string('%.0f records have been failing for at least 7 days.', {{ value }})
        when 'late'
            then format_string(
                'No run came for %.1f times the longest gap of its kind before.', {{ value }}
            )
    end
{%- endmacro %}
