-- c2 leaves later that day, and c4 enters later.
{% set expected %}
    select explode(array('c1', 'c2', 'c3')) as customer_id
{% endset %}
{{ differing_rows(
    'select * from ' ~ ref('newsletter_members_on_march_3'), expected, ['customer_id']
) }}
