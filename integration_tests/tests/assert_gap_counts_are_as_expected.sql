-- Those of assert_gaps_are_as_expected, and the other customers of the audience.
{% set expected %}
    select * from values
        (1, 'extra', 'not removed', 1, '["c1"]'),
        (1, 'missing', 'left out', 2, '["c5","c6"]'),
        (1, 'missing', 'removed', 1, '["c2"]'),
        (1, 'stale', 'not sent', 1, '["c3"]'),
        (1, 'none', null, 1, '[]'),
        (2, 'extra', 'removal failed', 1, '["c1"]'),
        (2, 'missing', 'failing', 1, '["c5"]'),
        (2, 'missing', 'left out', 1, '["c6"]'),
        (2, 'none', null, 3, '[]')
        as counts (build, gap, reason, record_count, sample_identifiers)
    where build = {{ var('expected_build') }}
{% endset %}
{{ differing_rows(
    'select * from ' ~ ref('newsletter_gap_counts'), expected,
    ['gap', 'reason', 'record_count', 'sample_identifiers']
) }}
