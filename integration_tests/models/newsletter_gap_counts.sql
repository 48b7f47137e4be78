{# How many customers each of these reasons concerns. #}
with

gap_counts as (
    {{ sync_logs.delivery_gap_counts(
        'newsletter_audience', key='customer_id', sync_id='10', compare=['plan'],
        sent_model='newsletter_recipients'
    ) }}
)

select
    organization_id,
    sync_id,
    gap,
    reason,
    record_count,
    sample_identifiers,
    since_at,
    data_until_at
from gap_counts
