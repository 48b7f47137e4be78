{#
  Returns the names of the tables with an identifier.
  Arguments: rows_of (string): whose rows they have; null for all.
#}
{% macro _tables_with_identifier(rows_of=none) -%}
    {{ return(sync_logs.state_tables(rows_of)
        | selectattr('config.meta.state.after_purge') | map(attribute='name') | list) }}
{%- endmacro %}

{#
  Query: one row if any table has the record, in a live load or in another one that is still on
  disk.
#}
{% macro holds_record(organization_id, identifier, sync_id) %}
    {% for table in sync_logs._tables_with_identifier() %}
        select 1 as found
        from {{ sync_logs.state_table(table) }}
        where
            identifier = {{ sync_logs.text_literal(identifier) }} {{ sync_logs.of_sync(sync_id, organization_id) }}
        {% if not loop.last %} union all {% endif %}
    {% endfor %}
    limit 1
{% endmacro %}

{# Returns whether an earlier purge keeps out the same identifier in the same syncs. #}
{% macro is_kept_out(identifier_hash, sync_id) -%}
    {%- for row in run_query(sync_logs.purged_query()).rows
        if row['identifier_hash'] == identifier_hash and (row['sync_id'] is none) == (sync_id is none) -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}

{#
  Query: what the rows of purged identifiers have in some columns, in all loads, live or not.
  Arguments: columns (string); rows_of (string): whose rows the tables have; null for all tables.
#}
{% macro found_with_purged(columns, rows_of=none) %}
    {%- set is_purged = sync_logs.is_purged('organization_id', 'sync_id', 'identifier') %}
    {% for table in sync_logs._tables_with_identifier(rows_of) %}
        select distinct {{ columns }}
        from {{ sync_logs.state_table(table) }}
        where {{ is_purged }}
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}
