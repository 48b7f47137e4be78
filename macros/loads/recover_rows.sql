{#
  Reads the batch files that `int_records__landed` skipped, and adds their rows to it: its hook. Nearly
  every build reads all files at once, so there is nothing to add.
#}
{% macro recover_records() -%}
    {%- for group in sync_logs.recovery_groups('batch') -%}
        {%- call statement() -%}
            insert into {{ this }} partition (load_id = '{{ sync_logs.load_id() }}') (
                organization_id, sync_id, sync_run_id, file_name, batch_type, batch_number, row_index,
                {{ sync_logs.column_names('batch') | join(', ') }}, is_purged
            )
            select
                organization_id,
                sync_id,
                sync_run_id,
                file_name,
                batch_type,
                batch_number,
                row_index,
                {% for column in sync_logs.column_names('batch') %}
                    case when not is_purged then {{ column }} end as {{ column }},
                {% endfor %}
                is_purged
            from (
                select
                    *,
                    {{ sync_logs.is_purged('organization_id', 'sync_id', 'identifier') }} as is_purged
                from ({{ sync_logs.rows_of_group(group) }})
            ) as decoded
            {{ sync_logs.search_order('decoded') }}
        {%- endcall -%}
    {%- endfor -%}
{%- endmacro %}

{# Reads the fact files that `int_facts__landed` skipped, and adds their rows to it: its hook. #}
{% macro recover_facts() -%}
    {%- for group in sync_logs.recovery_groups('fact') -%}
        {%- call statement() -%}
            insert into {{ this }} partition (load_id = '{{ sync_logs.load_id() }}') (
                organization_id, file_name, row_index, fact_type,
                {{ sync_logs.column_names('fact') | join(', ') }}, is_of_table
            )
            select
                organization_id,
                file_name,
                row_index,
                {{ sync_logs.fact_type('file_name') }},
                {{ sync_logs.column_names('fact') | join(', ') }},
                false
            from ({{ sync_logs.rows_of_group(group) }})
        {%- endcall -%}
    {%- endfor -%}
{%- endmacro %}
