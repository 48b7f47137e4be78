-- c5 and c6 are refused for good before the first build, then c5 has another plan. What refuses c1
-- before the second build goes away by itself.
{% set refused = "'c6'" if var('expected_build') == 2 else "'c5', 'c6'" %}
{{ differing_rows(
    'select * from ' ~ ref('newsletter_recipients'),
    'select customer_id, city from ' ~ ref('customers_now') ~ ' where customer_id not in (' ~ refused ~ ')',
    ['customer_id', 'city']
) }}
