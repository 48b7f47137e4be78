{# Runs of the committed load with their outcome and the counts of their changelog rows. #}
{{ config(materialized='lazy_view') }}
{% set op_types = ['add', 'change', 'remove'] %}
{% set measures = ['planned', 'attempted', 'succeeded', 'failed', 'invalid'] %}
with

runs as (
    select * from {{ ref('int_runs__live') }}
),

run_counts as (
    select * from {{ ref('int_run_counts__built') }}
),

runs_counted as (
    select /*+ broadcast(runs) */
        runs.*,
        {% for measure in measures %}
            {% for op_type in op_types %}
                coalesce(run_counts.num_{{ measure }}_{{ op_type }}, 0)
                    as num_{{ measure }}_{{ op_type }},
            {% endfor %}
        {% endfor %}
        coalesce(run_counts.entry_count, 0) as entry_count,
        coalesce(run_counts.exit_count, 0) as exit_count
    from runs
    left join run_counts
        on
            runs.built_load_id = run_counts.load_id
            and runs.organization_id = run_counts.organization_id
            and runs.sync_id = run_counts.sync_id
            and runs.sync_run_id = run_counts.sync_run_id
),

runs_summed as (
    select
        *,
        {% for measure in measures %}
            num_{{ measure }}_add + num_{{ measure }}_change + num_{{ measure }}_remove
                as {{ measure }}_row_count,
        {% endfor %}
        num_planned_add + num_planned_change + num_planned_remove
        - num_attempted_add - num_attempted_change - num_attempted_remove as aborted_row_count
    from runs_counted
)

select
    *,
    case
        when not is_settled then null
        when reported_outcome is not null then reported_outcome
        when aborted_row_count > 0 then 'failed'
        -- an invalid row was attempted and has failed, but it was not sent
        when attempted_row_count > invalid_row_count and failed_row_count = attempted_row_count
            then 'failed'
        else 'succeeded'
    end as status
from runs_summed
