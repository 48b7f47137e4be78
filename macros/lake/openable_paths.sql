{#
  Returns the condition of `planned_paths_only` without the files that Spark cannot open with the
  types of the lake table. Spark skips a file that has a column of another type
  (`ignoreCorruptFiles`), but a map or a list in a string column stops the whole query. Such files
  are left to `recover_records` and `recover_facts`.
  Arguments: file_kind (string): batch or fact.
#}
{% macro openable_paths_only(file_kind) -%}
    {%- set condition = sync_logs.planned_paths_only(file_kind) -%}
    {%- if not sync_logs.is_building() or condition == 'false' -%}
        {{ return(condition) }}
    {%- endif -%}
    {%- set relation = sync_logs.lake_table('batches' if file_kind == 'batch' else 'facts') -%}
    {%- set columns = sync_logs.column_names(file_kind) -%}
    {%- if sync_logs._can_be_opened(relation, columns, condition) -%}
        {{ return(condition) }}
    {%- endif -%}
    {%- set paths = run_query(sync_logs.planned_paths(file_kind)).columns[0].values() -%}
    {%- set openable = sync_logs.openable_paths(relation, columns, paths | list) -%}
    {{ return(sync_logs.paths_in(openable) if openable else 'false') }}
{%- endmacro %}

{#
  Returns those paths that Spark can open with the types of a table, found by bisection. Halves that
  have not been tried after `limit` queries are left out.
  Arguments: relation; columns, paths (lists of strings).
#}
{% macro openable_paths(relation, columns, paths) -%}
    {%- set limit = 64 -%}
    {%- set openable = [] -%}
    {%- set asked = namespace(halves=[paths], count=0) -%}
    {%- for depth in range(limit) if asked.halves and asked.count < limit -%}
        {%- set next = [] -%}
        {%- for half in asked.halves if asked.count < limit -%}
            {%- set asked.count = asked.count + 1 -%}
            {%- if sync_logs._can_be_opened(relation, columns, sync_logs.paths_in(half)) -%}
                {%- do openable.extend(half) -%}
            {%- elif half | length > 1 -%}
                {%- do next.append(half[:half | length // 2]) -%}
                {%- do next.append(half[half | length // 2:]) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set asked.halves = next -%}
    {%- endfor -%}
    {{ return(openable) }}
{%- endmacro %}

{#
  Returns whether Spark can open files with all columns of a table. The query fails if it cannot, so
  it runs in a SQL script, which goes on. Before Spark 4.1 there are no such scripts, and the dbt
  plugin tries the query; without the plugin, this returns true. The condition on the columns lets
  Spark skip the data by the statistics in the footers: hardly any file has a row in which all
  columns are null.
  Arguments: relation; columns (list of strings); condition (SQL): on the paths.
#}
{% macro _can_be_opened(relation, columns, condition) -%}
    {%- set query -%}
        select if(count(*) is null, 'never', 'can') as answer
        from {{ relation }}
        where {{ condition }}
        {%- for column in columns %} and {{ column }} is null {%- endfor %}
    {%- endset -%}
    {%- if sync_logs.engine().has_scripts
        and run_query('set spark.sql.scripting.enabled').rows[0][1] == 'true' -%}
        {{ return(run_query(sync_logs._script_that_goes_on(query)).rows[0][0] == 'can') }}
    {%- elif adapter.sync_logs_succeeds is defined -%}
        {{ return(adapter.sync_logs_succeeds(query)) }}
    {%- endif -%}
    {{ return(true) }}
{%- endmacro %}

{# Script: the rows of a query with the column `answer`, or the row `cannot` if it fails. #}
{% macro _script_that_goes_on(query) %}
    begin
        declare exit handler for sqlexception
        begin
            select 'cannot' as answer;
        end;
        {{ query }};
    end
{% endmacro %}
