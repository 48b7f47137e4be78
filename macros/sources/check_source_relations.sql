{#
  Stops a build, before anything is written, if a table or a column is missing without which nothing
  can be said about a source.
#}
{% macro check_source_relations() -%}
    {%- for source in sync_logs.table_sources() -%}
        {%- for table, columns in sync_logs.tables_read_of(source.type).items()
            if 'needed' in columns.values() -%}
            {%- set relation = sync_logs.source_relation(source, table) -%}
            {%- set found = sync_logs.source_columns(source, table) -%}
            {%- set of_source = 'The source ' ~ source.name ~ ' (' ~ source.type ~ ') ' -%}
            {%- if not relation -%}
                {%- do sync_logs.stop(
                    of_source ~ 'needs the table ' ~ table ~ ', and relations names only '
                    ~ source.relations | join(', ') ~ '. Add it, or give a schema.') -%}
            {%- elif not found -%}
                {%- do sync_logs.stop(
                    of_source ~ 'needs the table ' ~ table ~ ', and ' ~ relation
                    ~ ' cannot be read. Correct its schema or relations in sync_logs_sources.') -%}
            {%- endif -%}
            {%- set missing = [] -%}
            {%- for column, need in columns.items() if need == 'needed' and column not in found -%}
                {%- do missing.append(column) -%}
            {%- endfor -%}
            {%- if missing -%}
                {%- do sync_logs.stop(
                    of_source ~ 'needs the columns ' ~ missing | join(', ') ~ ' in ' ~ relation
                    ~ ', which has ' ~ found | join(', ') ~ '. Name the table of the vendor in sync_logs_sources.') -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}

{#
  Returns {table: {column: needed or optional}} of a type of source, as its models declare them.
  Arguments: type (string).
#}
{% macro tables_read_of(type) -%}
    {%- set tables = {} -%}
    {%- for node in graph.nodes.values()
        if node.resource_type == 'model' and node.name.startswith('int_' ~ type ~ '__') -%}
        {%- for table, columns in node.config.meta.get('reads', {}).items() -%}
            {%- do tables.setdefault(table, {}).update(columns) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(tables) }}
{%- endmacro %}
