with

changelog as (
    select * from {{ ref('int_changelog__built') }}
    where load_id = '{{ sync_logs.load_id() }}'
)

select
    organization_id,
    sync_id,
    sync_run_id,
    {% set op_types = {'add': 'added', 'change': 'changed', 'remove': 'removed'} %}
    {% for suffix, op_type in op_types.items() %}
        count_if(op_type = '{{ op_type }}') as num_planned_{{ suffix }},
        count_if(op_type = '{{ op_type }}' and status != 'aborted') as num_attempted_{{ suffix }},
        count_if(op_type = '{{ op_type }}' and status = 'succeeded') as num_succeeded_{{ suffix }},
        count_if(op_type = '{{ op_type }}' and status = 'failed') as num_failed_{{ suffix }},
        count_if(
            op_type = '{{ op_type }}'
            and record_status in ('invalid_null_key', 'invalid_duplicate_key')
        ) as num_invalid_{{ suffix }}
        {%- if not loop.last %}, {% endif %}
    {% endfor %}
from changelog
group by organization_id, sync_id, sync_run_id
