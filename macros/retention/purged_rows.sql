{#
  Returns the names of the tables with an identifier.
  Arguments: rows_of (string): whose rows they have; null for all.
#}
{% macro _tables_with_identifier(rows_of=none) -%}
    {%- set found = [] -%}
    {%- for node in sync_logs.state_tables(rows_of) if node.config.meta.state.after_purge -%}
        {%- do found.append(node.name) -%}
    {%- endfor -%}
    {{ return(found) }}
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
            organization_id = {{ sync_logs.text_literal(organization_id) }}
            {% if sync_id is not none %} and sync_id = {{ sync_logs.text_literal(sync_id) }} {% endif %}
            and identifier = {{ sync_logs.text_literal(identifier) }}
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

{# Query: the loads, live or not, that have rows of purged identifiers. #}
{% macro loads_with_purged() %}
    {% for table in sync_logs._tables_with_identifier() %}
        select distinct load_id
        from {{ sync_logs.state_table(table) }}
        where {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }}
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}

{# Query: the runs that were logged with rows of purged identifiers. #}
{% macro runs_with_purged() %}
    {% for table in sync_logs._tables_with_identifier(rows_of='file') %}
        select distinct organization_id, sync_id, sync_run_id
        from {{ sync_logs.state_table(table) }}
        where {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }}
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}
