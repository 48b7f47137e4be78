{#
  Stops a build if a table or a column is missing without which nothing can be said about a source:
  before anything is written or, for sources that name models or seeds of the project, before it reads
  them.
  Arguments: names_models (boolean): which of these sources.
#}
{% macro check_source_relations(names_models) -%}
    {%- for source in sync_logs.table_sources()
        if sync_logs.is_building() and sync_logs.names_models(source) == names_models -%}
        {%- do sync_logs.check_tables_of_source(source) -%}
    {%- endfor -%}
{%- endmacro %}

{#
  Stops the run if a table or a column is missing without which nothing can be said about a source,
  or if a table of it is where this package builds its own.
#}
{% macro check_tables_of_source(source) -%}
    {%- for table, columns in sync_logs.tables_read_of(source.type).items()
        if 'needed' in columns.values() -%}
        {%- set relation = sync_logs.source_relation(source, table) -%}
        {%- set found = sync_logs.source_columns(source, table) -%}
        {%- set of_source = 'The source ' ~ source.name ~ ' (' ~ source.type ~ ') ' -%}
        {%- set schema = (relation or '').rpartition('.')[0] | lower -%}
        {%- set catalog = '^' ~ (target.database or '') | lower ~ '[.]' -%}
        {%- if modules.re.sub(catalog, '', schema) in sync_logs.written_schemas()
            and not sync_logs.is_name_of_model(source.relations.get(table, '')) -%}
            {%- do sync_logs.stop(
                of_source ~ 'is in the schema of ' ~ relation ~ ', into which this project builds its tables. '
                ~ 'Build into another schema.') -%}
        {%- endif -%}
        {%- set missing = [] -%}
        {%- for column, need in columns.items() if need == 'needed' and column not in found -%}
            {%- do missing.append(column) -%}
        {%- endfor -%}
        {%- if sync_logs.is_replaced(source, table) -%}
            {#- other tables of the source say the same -#}
        {%- elif not relation -%}
            {%- do sync_logs.stop(
                of_source ~ 'needs the table ' ~ table ~ ', and relations names only '
                ~ source.relations | join(', ') ~ '. Add it, or give a schema.') -%}
        {%- elif not found -%}
            {%- do sync_logs.stop(
                of_source ~ 'needs the table ' ~ table ~ ', and ' ~ relation
                ~ ' cannot be read. Correct its schema or relations in sync_logs_sources. A model that it names '
                ~ 'must be a table or a view.') -%}
        {%- elif missing -%}
            {%- do sync_logs.stop(
                of_source ~ 'needs the columns ' ~ missing | join(', ') ~ ' in ' ~ relation
                ~ ', which has ' ~ found | join(', ') ~ '. Give a table that has them in sync_logs_sources.') -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{#
  Stops a build, before anything is written, if the relation of names is not there or has other
  columns. A model or seed of the project is built later, so it is checked when it is read.
#}
{% macro check_names_relation() -%}
    {%- set given = var('sync_logs_names_relation') or '' -%}
    {%- if given and sync_logs.table_sources() and not sync_logs.is_name_of_model(given) -%}
        {%- do sync_logs.check_columns_of_names(
            sync_logs.described_columns(sync_logs.given_relation('sync_logs_names_relation', 'sync_settings'))) -%}
    {%- endif -%}
{%- endmacro %}

{#
  Stops the run if the relation of names lacks a column.
  Arguments: found (mapping): {column: type}; none if it cannot be read.
#}
{% macro check_columns_of_names(found) -%}
    {%- set given = 'sync_logs_names_relation is ' ~ var('sync_logs_names_relation') -%}
    {%- if not found -%}
        {%- do sync_logs.stop(given ~ ', which cannot be read. Correct the name, or set it to null.') -%}
    {%- endif -%}
    {%- set missing = ['kind', 'id', 'name', 'type'] | reject('in', found) | list -%}
    {%- if missing -%}
        {%- do sync_logs.stop(
            given ~ ', which lacks the columns ' ~ missing | join(', ') ~ ' and has ' ~ found | join(', ')
            ~ '. Its columns are kind, id, name, type and, if ids repeat across sources, organization_id.') -%}
    {%- endif -%}
{%- endmacro %}

{#
  Stops a build if a folder of the lake is the organisation of another source, whose runs would be
  mixed with those of the lake.
#}
{% macro check_organizations_of_lake() -%}
    {%- set sources = sync_logs.table_sources() -%}
    {%- if sync_logs.is_building() and sources and sync_logs.lake_source() -%}
        {%- set claimed = {} -%}
        {%- for source in sources -%}
            {%- do claimed.update({sync_logs.text_literal(source.organization_id): source}) -%}
        {%- endfor -%}
        {%- set found = run_query(
            'select organization_id from ' ~ sync_logs.state_table('int_files__planned') ~ " where load_id = '"
            ~ sync_logs.load_id() ~ "' and is_in_lake and file_path is not null and organization_id in ("
            ~ claimed | join(', ') ~ ') limit 1').rows -%}
        {%- if found -%}
            {%- set source = claimed[sync_logs.text_literal(found[0][0])] -%}
            {%- do sync_logs.stop(
                'The lake has a folder of the organisation ' ~ source.organization_id ~ ', which the source '
                ~ source.name ~ ' claims too. Give that source another organization_id in sync_logs_sources.') -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
