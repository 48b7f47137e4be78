{# Returns a SQL aggregate over the rules for alerts as given: another value, another set of rules. #}
{% macro alert_rules_hash() -%}
    md5(to_json(array_sort(collect_list(struct(
        is_built_in, rule, severity, given_threshold, given_minimum, organization_id, sync_id,
        given_muted_until
    )))))
{%- endmacro %}
