{#
  Runs of a load as the tables show them: with the counts of their changelog rows, their outcome,
  and values that are equal for all runs of a sync. A source that logs only records that were rejected
  has the counts that it reports. Stored with each load, because every query starts here.
#}
{% set op_types = ['add', 'change', 'remove'] %}
{% set reported_measures = ['planned', 'attempted', 'succeeded', 'failed'] %}
{% set measures = reported_measures + ['invalid'] %}
with

runs_planned as (
    select * from {{ sync_logs.of_load(ref('int_runs__planned')) }}
),

facts as (
    select * from {{ sync_logs.of_load(ref('int_facts__known')) }}
    where is_of_table
),

run_counts as (
    select * from {{ ref('int_run_counts__built') }}
),

sources as (
    select * from {{ sync_logs.of_load(ref('int_sources__known')) }}
),

{% for fact_type in ['source_objects', 'destinations', 'syncs'] %}
    {{ fact_type }} as (
        select
            organization_id,
            id,
            first_name as name,
            first_type as type
        from facts
        where fact_type = '{{ fact_type }}'
    ),
{% endfor %}

-- what a vendor does not report about a run is filled in, also for runs that were read long ago
runs_named as (
    select /*+ broadcast(source_objects), broadcast(destinations), broadcast(syncs) */
        runs_planned.*,
        coalesce(runs_planned.model_name, source_objects.name, syncs.name) as known_model_name,
        coalesce(runs_planned.destination_type, destinations.type, syncs.type)
            as known_destination_type
    from runs_planned
    left join source_objects
        on
            runs_planned.organization_id = source_objects.organization_id
            and runs_planned.source_object_id = source_objects.id
    left join destinations
        on
            runs_planned.organization_id = destinations.organization_id
            and runs_planned.destination_id = destinations.id
    left join syncs
        on
            runs_planned.organization_id = syncs.organization_id
            and runs_planned.sync_id = syncs.id
),

runs_of_syncs as (
    select
        *,
        -- runs that are too late have no position
        max(case when record_count > 0 or is_settled then position end)
            over (partition by organization_id, sync_id) as latest_position,
        max(case when is_replacing then position end)
            over (partition by organization_id, sync_id) as last_replacing_position,
        coalesce(
            max(case when checkpoint_load_id is not null then position end)
                over (partition by organization_id, sync_id),
            0
        ) as last_checkpoint_position,
        -- null if the next replacing run has no time, however many follow it
        min_by(
            {{ sync_logs.replaced_at('runs_named') }},
            case when is_replacing then position end
        ) over (
            partition by organization_id, sync_id, is_too_late
            order by position asc
            rows between 1 following and unbounded following
        ) as replaced_at,
        last_value(case when position is not null then known_model_name end, true) over (
            partition by organization_id, sync_id
            order by position asc
            rows between unbounded preceding and unbounded following
        ) as latest_model_name,
        max(
            case
                when is_too_late is not true
                    then greatest(order_at, last_batch_ended_at, reported_finished_at)
            end
        ) over (partition by organization_id, sync_id) as data_until_at
    from runs_named
),

runs_counted as (
    select /*+ broadcast(runs_of_syncs), broadcast(sources) */
        runs_of_syncs.*,
        coalesce(sources.logs_succeeded_records, true) as logs_succeeded_records,
        {% for measure in reported_measures %}
            {% for op_type in op_types %}
                coalesce(run_counts.num_{{ measure }}_{{ op_type }}, 0)
                {% if not loop.last %}+{% endif %}
            {% endfor %} as logged_{{ measure }}_count,
        {% endfor %}
        {% for measure in measures %}
            {% for op_type in op_types %}
                {% set name = 'num_' ~ measure ~ '_' ~ op_type %}
                coalesce(
                    {% if measure in reported_measures %}
                        case
                            when
                                not sources.logs_succeeded_records
                                and not runs_of_syncs.is_too_late
                                then runs_of_syncs.reported_counts['{{ name }}']
                        end,
                    {% endif %}
                    run_counts.{{ name }},
                    0
                ) as {{ name }},
            {% endfor %}
        {% endfor %}
        {% for count in [
            'entry', 'exit', 'late_entry', 'late_exit', 'addition', 'repeated_addition'
        ] %}
            coalesce(run_counts.{{ count }}_count, 0) as {{ count }}_count
            {%- if not loop.last %},{% endif %}
        {% endfor %}
    from runs_of_syncs
    left join run_counts
        on
            runs_of_syncs.built_load_id = run_counts.load_id
            and runs_of_syncs.organization_id = run_counts.organization_id
            and runs_of_syncs.sync_id = run_counts.sync_id
            and runs_of_syncs.sync_run_id = run_counts.sync_run_id
    left join sources
        on runs_of_syncs.organization_id = sources.organization_id
),

runs_summed as (
    select
        *,
        {% for measure in measures %}
            num_{{ measure }}_add + num_{{ measure }}_change + num_{{ measure }}_remove
                as {{ measure }}_row_count,
        {% endfor %}
        num_planned_add + num_planned_change + num_planned_remove
        - num_attempted_add - num_attempted_change - num_attempted_remove as aborted_row_count,
        coalesce(reported_finished_at, last_batch_ended_at, order_at) as run_at
    from runs_counted
),

runs_reported as (
    select
        *,
        {% for measure in reported_measures %}
            -- null if one of them is not reported
            {% set reported = [] %}
            {% for op_type in ['add', 'change', 'remove'] %}
                {% do reported.append("reported_counts['num_" ~ measure ~ '_' ~ op_type ~ "']") %}
            {% endfor %}
            {{ reported | join(' + ') }} as reported_{{ measure }}_count,
        {% endfor %}
        min(case when record_count > 0 then position end)
            over (partition by organization_id, sync_id) as first_logged_position
    from runs_summed
),

{% set differences = [] %}
{% for measure in reported_measures %}
    {% set difference = 'reported_' ~ measure ~ '_count - logged_' ~ measure ~ '_count' %}
    {# what the source does not log cannot be missing #}
    {% do differences.append(difference if measure == 'failed'
        else 'case when logs_succeeded_records then ' ~ difference ~ ' end') %}
{% endfor %}
runs_matched as (
    select
        *,
        {% for difference in differences %}
            coalesce({{ difference }}, 0) = 0 {% if not loop.last %}and{% endif %}
        {% endfor %} as is_as_reported,
        coalesce({{ differences | join(', ') }}) as missing_count
    from runs_reported
),

runs_covered as (
    select
        *,
        case
            when has_unreadable_files then 'unreadable files'
            when is_as_reported and not logs_succeeded_records and reported_succeeded_count > 0
                then 'successes not logged'
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
    from runs_matched
),

runs_checked as (
    select
        *,
        case
            when is_too_late then null
            when log_issue in ('not settled', 'aborted', 'successes not logged') then null
            when log_issue is not null then false
            when
                is_settled
                and coalesce(
                    {% for measure in reported_measures %}
                        reported_{{ measure }}_count
                        {%- if not loop.last %},{% endif %}
                    {% endfor %}
                ) is not null
                then true
        end as is_log_complete
    from runs_covered
)

{% set until_now = 'partition by organization_id, sync_id order by position asc '
    ~ 'rows between unbounded preceding and current row' %}
-- runs that are too late have neither a position nor rows that count
select
    *,
    count_if(is_settled and position is not null) over ({{ until_now }}) as settled_run_count,
    max(
        case
            when
                is_settled
                and position is not null
                and {{ sync_logs.is_likely_time('run_at') }}
                then run_at
        end
    ) over ({{ until_now }}) as settled_until_at,
    sum(entry_count - exit_count + late_entry_count) over ({{ until_now }})
    - entry_count + exit_count as members_before,
    case
        when not is_settled then null
        when reported_outcome is not null then reported_outcome
        when aborted_row_count > 0 then 'failed'
        -- an invalid row counts as attempted and failed, but it was not sent
        when
            {{ sync_logs.are_successes_known() }}
            and attempted_row_count > invalid_row_count
            and failed_row_count = attempted_row_count
            then 'failed'
        else 'succeeded'
    end as status
from runs_checked
