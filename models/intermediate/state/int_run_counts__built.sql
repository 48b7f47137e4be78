with

changelog as (
    select * from {{ sync_logs.of_load(ref('int_changelog__built')) }}
),

memberships as (
    select * from {{ sync_logs.of_load(ref('int_memberships__built')) }}
),

rows_marked as (
    select
        *,
        -- an insert adds its record whether or not it was in; an append adds a row, not a record
        canonical_operation = 'insert'
        or (op_type = 'added' and canonical_operation != 'append') as is_addition
    from changelog
),

exits_counted as (
    select
        organization_id,
        sync_id,
        exited_sync_run_id as sync_run_id,
        count(*) as exit_count
    from memberships
    group by organization_id, sync_id, exited_sync_run_id
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
                and {{ sync_logs.is_invalid('record_status') }}
            ) as num_invalid_{{ suffix }},
        {% endfor %}
        count_if(is_entry) as entry_count,
        count_if(is_late_entry) as late_entry_count,
        count_if(is_late_entry and not is_delivered) as late_exit_count,
        count_if(status != 'aborted' and is_addition) as addition_count,
        count_if(status != 'aborted' and is_addition and was_delivered)
            as repeated_addition_count
    from rows_marked
    group by organization_id, sync_id, sync_run_id
)

-- a record leaves with a row of the run, or without one if the run is replacing
select
    rows_counted.*,
    coalesce(exits_counted.exit_count, 0) as exit_count
from rows_counted
left join exits_counted
    on
        rows_counted.organization_id = exits_counted.organization_id
        and rows_counted.sync_id = exits_counted.sync_id
        and rows_counted.sync_run_id = exits_counted.sync_run_id
