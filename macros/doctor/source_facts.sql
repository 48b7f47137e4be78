{#
  Returns what the tables of each source have, as [name, value]: where each is, and what it lacks.
  Arguments: advice (list of strings): gets what to change.
#}
{% macro source_facts(advice) -%}
    {%- set facts = [] -%}
    {%- for source in sync_logs.table_sources() -%}
        {%- do facts.append(
            [source.name, source.type ~ ', organization_id ' ~ source.organization_id]) -%}
        {%- for table, columns in sync_logs.tables_read_of(source.type).items() -%}
            {%- set relation = sync_logs.source_relation(source, table) -%}
            {%- set found = sync_logs.source_columns(source, table) -%}
            {%- set missing = columns | reject('in', found) | list -%}
            {%- set lacks = 'not found' if not found else 'without ' ~ missing | join(', ') if missing else 'complete' -%}
            {%- do facts.append([source.name ~ ' ' ~ table, (relation or 'no relation') ~ ', ' ~ lacks]) -%}
            {%- if not found and 'needed' in columns.values() and not sync_logs.is_replaced(source, table) -%}
                {%- do advice.append('The source ' ~ source.name ~ ' needs the table ' ~ table
                    ~ ': correct its schema or relations in sync_logs_sources, or build it if it is your model.') -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(facts) }}
{%- endmacro %}
