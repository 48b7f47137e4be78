{#
  The built-in rules for alerts: quiet on healthy syncs. A SQL model, not a seed: a consumer cannot edit
  the seed of a package.
#}
{% set rules = [
    ('run_failed', 'critical', 1, 'null'),
    ('rejection_rate', 'warning', 0.05, 10),
    ('rejection_rate', 'critical', 0.75, 10),
    ('invalid_rate', 'warning', 0.05, 10),
    ('new_error_pattern', 'warning', 5, 'null'),
    ('record_count', 'warning', 5, 100),
    ('mass_removal', 'critical', 0.3, 100),
    ('full_resync', 'warning', 0.5, 100),
    ('duration', 'warning', 3, 600),
    ('incomplete_log', 'warning', 1, 'null'),
    ('late', 'warning', 1.5, 'null'),
    ('late', 'critical', 3, 'null'),
    ('old_failures', 'warning', 1, 'null'),
] %}

{% for rule, severity, threshold, minimum in rules %}
    select
        '{{ rule }}' as rule,
        '{{ severity }}' as severity,
        cast({{ threshold }} as double) as threshold,
        cast({{ minimum }} as double) as minimum,
        cast(null as string) as organization_id,
        cast(null as string) as sync_id,
        cast(null as timestamp) as muted_until
    {% if not loop.last %}
        union all
    {% endif %}
{% endfor %}
