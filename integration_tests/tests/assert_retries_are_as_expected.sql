-- The rate limit of c1 goes away by itself. No malformed address was accepted after c5 and c6.
{% set expected %}
    select
        'c1' as customer_id,
        'transient' as retry_reason,
        '{"plan": "pro"}' as fields
    where {{ var('expected_build') }} = 2
{% endset %}
{{ differing_rows(
    'select * from ' ~ ref('newsletter_retries'), expected, ['customer_id', 'retry_reason', 'fields']
) }}
