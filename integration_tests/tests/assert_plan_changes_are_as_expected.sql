-- Only c1 was sent with a different plan. The plan of c2 changed in an invalid row.
{% set expected %}
    select 'c1' as customer_id, 'plan' as field_name, 'free' as previous_value, 'pro' as new_value
{% endset %}
{{ differing_rows(
    'select * from ' ~ ref('newsletter_plan_changes'),
    expected,
    ['customer_id', 'field_name', 'previous_value', 'new_value']
) }}
