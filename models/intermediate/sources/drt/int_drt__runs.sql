{#
  What the history of drt reports about runs. It counts rows without saying what was done with them; as
  its failed rows are those of records that no log shows in the destination, all rows count as added.
#}
{{ config(enabled=sync_logs.table_sources('drt') | length > 0) }}
{% set all_records = 'records_synced + records_failed' %}
{% set counts = {'planned': all_records, 'attempted': all_records, 'succeeded': 'records_synced',
    'failed': 'records_failed'} %}
with

history as (
    select * from {{ ref('int_drt__history') }}
)

select
    organization_id,
    sync_id,
    sync_run_id,
    {% for name in ['source_id', 'source_object_id', 'destination_id', 'destination_object_id'] %}
        cast(null as string) as {{ name }},
    {% endfor %}
    status as sync_run_status,
    error as sync_run_error,
    {% for name in ['primary_key', 'destination_type', 'model_id', 'model_name'] %}
        cast(null as string) as {{ name }},
    {% endfor %}
    started_at as sync_run_started_at,
    completed_at as sync_run_finished_at,
    coalesce(completed_at, started_at) as rows_ended_at,
    map(
        {% for measure, count in counts.items() %}
            'num_{{ measure }}_add', {{ count }},
            'num_{{ measure }}_change', 0L,
            'num_{{ measure }}_remove', 0L
            {%- if not loop.last %},{% endif %}
        {% endfor %}
    ) as reported_counts
from history
