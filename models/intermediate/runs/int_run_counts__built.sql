with

changelog as (
    select * from {{ ref('int_changelog__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

membership_events as (
    select * from {{ ref('int_membership_events__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
),

-- the entry of a late start belongs to no run
events_counted as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        count_if(is_entry) as entry_count,
        count_if(not is_entry) as exit_count
    from membership_events
    where sync_run_id is not null
    group by organization_id, sync_id, sync_run_id
),

rows_counted as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        {% set op_types = {'add': 'added', 'change': 'changed', 'remove': 'removed'} %}
        {% for suffix, op_type in op_types.items() %}
            count_if(op_type = '{{ op_type }}') as num_planned_{{ suffix }},
            count_if(op_type = '{{ op_type }}' and status != 'aborted')
                as num_attempted_{{ suffix }},
            count_if(op_type = '{{ op_type }}' and status = 'succeeded')
                as num_succeeded_{{ suffix }},
            count_if(op_type = '{{ op_type }}' and status = 'failed') as num_failed_{{ suffix }},
            count_if(
                op_type = '{{ op_type }}'
                and record_status in ('invalid_null_key', 'invalid_duplicate_key')
            ) as num_invalid_{{ suffix }}
            {%- if not loop.last %}, {% endif %}
        {% endfor %}
    from changelog
    group by organization_id, sync_id, sync_run_id
)

-- whoever enters or leaves does so by a row of the run, or because a replacing run has other rows
select
    rows_counted.*,
    coalesce(events_counted.entry_count, 0) as entry_count,
    coalesce(events_counted.exit_count, 0) as exit_count
from rows_counted
left join events_counted
    on
        rows_counted.organization_id = events_counted.organization_id
        and rows_counted.sync_id = events_counted.sync_id
        and rows_counted.sync_run_id = events_counted.sync_run_id
