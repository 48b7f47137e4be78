{#
  The condition of `planned_paths_only` without the files that Spark cannot even open with the types
  of the lake table. A column of another type makes Spark skip a file (`ignoreCorruptFiles`), but a
  map or a list where a text is declared ends the whole query. Such files are left to `recovery_groups`.
  Arguments: file_kind (string: batch or fact).
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
  Those of some paths that Spark can open with the types of a table, found by halves. After `limit`
  questions the halves that hold one that it cannot are given up as they are.
#}
{% macro openable_paths(relation, columns, paths, limit=64) -%}
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
  Whether Spark can open files with all columns of a table. Only a script can survive that it cannot,
  so without scripts (before Spark 4.1) the answer is yes. Statistics in the footers spare the data:
  hardly a file has a row without any text.
#}
{% macro _can_be_opened(relation, columns, condition) -%}
    {%- set scripts = run_query('set spark.sql.scripting.enabled').rows[0][1] -%}
    {%- if scripts != 'true' -%}
        {{ return(true) }}
    {%- endif -%}
    {%- set script -%}
        begin
            declare exit handler for sqlexception
            begin
                select 'cannot' as answer;
            end;
            select if(count(*) is null, 'never', 'can') as answer
            from {{ relation }}
            where {{ condition }}
            {%- for column in columns %} and {{ column }} is null {%- endfor %};
        end
    {%- endset -%}
    {{ return(run_query(script).rows[0][0] == 'can') }}
{%- endmacro %}
