{# The tables with an identifier: what was logged, and what has been computed of it. #}
{% macro _tables_with_identifier() -%}
    {{ return(['int_records__landed', 'int_records__recovered', 'int_changelog__built',
        'int_membership_events__built', 'int_memberships__built', 'int_field_changes__built',
        'int_record_states__built', 'int_record_errors__built']) }}
{%- endmacro %}

{# Query: a row if any table holds a record, in a load that is live or in one that is still on disk. #}
{% macro _holds_record(organization_id, identifier, sync_id) %}
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

{# Whether an earlier purge keeps out the same identifier, in the same syncs. #}
{% macro _is_kept_out(identifier_hash, sync_id) -%}
    {%- for row in run_query(sync_logs._purged_query()).rows
        if row['identifier_hash'] == identifier_hash and (row['sync_id'] is none) == (sync_id is none) -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{%- endmacro %}

{# Query: loads that hold a row of what is purged, live or not. #}
{% macro _loads_with_purged() %}
    {% for table in sync_logs._tables_with_identifier() %}
        select distinct load_id
        from {{ sync_logs.state_table(table) }}
        where {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }}
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}

{% macro _runs_with_purged() %}
    {% for table in ['int_records__landed', 'int_records__recovered'] %}
        select distinct organization_id, sync_id, sync_run_id
        from {{ sync_logs.state_table(table) }}
        where {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }}
        {% if not loop.last %} union {% endif %}
    {% endfor %}
{% endmacro %}
