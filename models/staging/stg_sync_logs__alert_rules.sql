{#
  Rules for alerts: the built-in ones, which are quiet on healthy syncs, and those of the user, as
  given. A rule of the user may have strings in place of typed columns.
#}
{% set given = var('sync_logs_alert_rules_relation') %}
{% set columns = ['rule', 'severity', 'threshold', 'minimum', 'organization_id', 'sync_id',
    'muted_until'] %}
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
    ('payload_schema', 'warning', 1, 'null'),
] %}
with

built_in_rules as (
    {% for rule, severity, threshold, minimum in rules %}
        select
            '{{ rule }}' as rule,
            '{{ severity }}' as severity,
            '{{ threshold }}' as threshold,
            {{ "'" ~ minimum ~ "'" if minimum != 'null' else 'cast(null as string)' }} as minimum,
            cast(null as string) as organization_id,
            cast(null as string) as sync_id,
            cast(null as string) as muted_until
        {% if not loop.last %}
            union all
        {% endif %}
    {% endfor %}
),

{% if given %}
    {% do sync_logs.check_ids_of_seed(
        'sync_logs_alert_rules_relation', ['organization_id', 'sync_id']) %}
    rules_given as (
        select
            -- a seed on embedded Spark has the string None instead of null
            {% for column in columns %}
                nullif(nullif(trim(cast({{ column }} as string)), ''), 'None') as {{ column }}
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        from {{ sync_logs.named_relation(given) }}
    ),
{% endif %}

rules_together as (
    select
        true as is_built_in,
        {{ columns | join(',\n        ') }}
    from built_in_rules
    {% if given %}
        union all

        select
            false as is_built_in,
            {{ columns | join(',\n            ') }}
        from rules_given
    {% endif %}
)

select
    is_built_in,
    rule,
    lower(severity) as severity,
    threshold as given_threshold,
    minimum as given_minimum,
    organization_id,
    sync_id,
    muted_until as given_muted_until
from rules_together
