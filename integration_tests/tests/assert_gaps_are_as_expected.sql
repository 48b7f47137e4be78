-- c1 lives in Lisbon, but its delete was sent, and refused, only before the second build. c2 was
-- deleted once, c3 has an old plan until then. c5 is let in again with its new plan; c6 stays out.
{% set expected %}
    select * from values
        (1, 'c1', 'extra', 'not removed', null, null, null),
        (1, 'c2', 'missing', 'removed', '2026-03-03 06:10:00', null, null),
        (1, 'c3', 'stale', 'not sent', null, null, '["plan"]'),
        (1, 'c5', 'missing', 'left out', '2026-03-03 06:10:00', 'Email address is malformed', null),
        (1, 'c6', 'missing', 'left out', '2026-03-03 06:10:00', 'Email address is malformed', null),
        (2, 'c1', 'extra', 'removal failed', '2026-03-04 06:10:00', 'Rate limit of the day is used up', null),
        (2, 'c5', 'missing', 'failing', '2026-03-03 06:10:00', 'Email address is malformed', null),
        (2, 'c6', 'missing', 'left out', '2026-03-03 06:10:00', 'Email address is malformed', null)
        as gaps (build, customer_id, gap, reason, since_at, failure_reason, differing_columns)
    where build = {{ var('expected_build') }}
{% endset %}
{{ differing_rows(
    'select * from ' ~ ref('newsletter_gaps'), expected,
    ['customer_id', 'gap', 'reason', 'since_at', 'failure_reason', 'differing_columns']
) }}
