{#
  Named steps that end in `runs_covered`: runs with what is reported and logged of each, and how the log is
  incomplete (`log_issue`), whether or not the run has been pruned.
  Arguments: runs (name of a step): all runs of their syncs, in the columns of int_runs__published.
#}
{% macro log_covered(runs) %}
{%- set measures = ['planned', 'attempted', 'succeeded', 'failed'] -%}
runs_counted as (
    select
        *,
        {% for measure in measures %}
            {{ measure }}_row_count as logged_{{ measure }}_count,
            -- null if one of them is not reported
            {% set reported = [] %}
            {% for op_type in ['add', 'change', 'remove'] %}
                {% do reported.append("reported_counts['num_" ~ measure ~ '_' ~ op_type ~ "']") %}
            {% endfor %}
            {{ reported | join(' + ') }} as reported_{{ measure }}_count,
        {% endfor %}
        min(case when record_count > 0 then position end)
            over (partition by organization_id, sync_id) as first_logged_position
    from {{ runs }}
),

runs_compared as (
    select
        *,
        {% for measure in measures %}
            coalesce(reported_{{ measure }}_count = logged_{{ measure }}_count, true)
            {% if not loop.last %}and{% endif %}
        {% endfor %} as is_as_reported,
        coalesce(
            {% for measure in measures %}
                reported_{{ measure }}_count - logged_{{ measure }}_count
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        ) as missing_count
    from runs_counted
),

runs_covered as (
    select
        *,
        case
            when has_unreadable_files then 'unreadable files'
            when is_as_reported then null
            when not is_settled then 'not settled'
            when missing_count > 0 and reported_outcome = 'failed' then 'aborted'
            when
                missing_count > 0
                and record_count = 0
                and coalesce(first_logged_position < position, true)
                then 'switched off'
            when missing_count > 0 and first_logged_position >= position then 'expired'
            when missing_count > 0 then 'rows missing'
            when missing_count < 0 then 'more than reported'
            else 'other outcomes'
        end as log_issue
    from runs_compared
)
{% endmacro %}
