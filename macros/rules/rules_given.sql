{#
  Query: the rules for errors as they are given now, by this package or in a user's relation, which may
  have strings in place of typed columns.
#}
{% macro rules_given() %}
    select
        cast(pattern as string) as pattern,
        cast(category as string) as category,
        cast(priority as string) as given_priority,
        try_cast(is_transient as boolean) as is_transient,
        cast(hint as string) as hint
    from {{ sync_logs.given_relation('sync_logs_error_rules_relation', 'error_categories') }}
{% endmacro %}
