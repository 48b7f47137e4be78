{# How the audience of the newsletter differs from what was delivered. #}
with

gaps as (
    {{ sync_logs.delivery_gaps(
        'newsletter_audience', key='customer_id', sync_id='10', compare=['plan'],
        sent_model='newsletter_recipients'
    ) }}
)

select
    row_id as customer_id,
    gap,
    reason,
    since_at,
    failure_reason,
    differing_columns
from gaps
