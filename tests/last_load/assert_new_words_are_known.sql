-- Statuses and operations of the last load that are not in the vocabulary. They are kept and
-- counted as failed. This is a warning, because only a person can say what they mean.
-- depends_on: {{ ref('sync_logs', 'sync_records') }}
{{ config(
    severity='warn',
    meta={
        'rows_in': 'sync_records',
        'remedy': "Those with record_status or canonical_operation 'unknown' have words that the package does not "
            ~ "know; say in the var sync_logs_words what they mean."}) }}
with

load_current as (
    select * from {{ ref('sync_load_current') }}
    where {{ sync_logs.is_load_to_test() }}
),

records as (
    select * from {{ ref('int_records__live') }}
    where load_id = (select load_current.load_id from load_current)
)

select
    organization_id,
    sync_id,
    status,
    operation,
    count(*) as record_count
from records
where record_status = 'unknown' or canonical_operation = 'unknown'
group by organization_id, sync_id, status, operation
