{#
  Returns a fingerprint of the rows of a run: it changes with the values of some columns, which are
  narrow, and with the set of columns that the table has. For a source with `compare: counts`, it
  changes only with the numbers of values, which another database counts for Spark: it cannot
  compute Spark's hashes.
  Arguments: source, table; columns (list of strings).
#}
{% macro fingerprint(source, table, columns) -%}
    {%- set is_counted = source.compare == 'counts' -%}
    {%- set values = [] -%}
    {%- for name in columns if name in sync_logs.source_columns(source, table) or not is_counted -%}
        {%- do values.append(
            'count(' ~ name ~ ')' if is_counted else sync_logs.source_column(source, table, name)) -%}
    {%- endfor -%}
    concat_ws(
        '/',
        '{{ sync_logs.hash_of_columns(source, table) }}',
        {{ values | join(', ') if is_counted else sync_logs.fingerprint_of_rows(values) }}
    )
{%- endmacro %}

{#
  Returns a fingerprint of the few rows of a run in a table of runs: it changes with any value of
  the columns, and with the set of columns that the table has. It collects the rows, and names each
  column once: the embedded catalog stores no view with more than 32,700 characters.
  Arguments: source, table; columns (list of strings).
#}
{% macro fingerprint_of_few_rows(source, table, columns) -%}
    {%- set values = [] -%}
    {%- for name in columns -%}
        {%- do values.append(sync_logs.source_column(source, table, name)) -%}
    {%- endfor -%}
    concat_ws(
        '/',
        '{{ sync_logs.hash_of_columns(source, table) }}',
        md5(to_json(array_sort(collect_list(array({{ values | join(', ') }})))))
    )
{%- endmacro %}

{# Returns a hash of the names of those columns of a table that are read and that it has. #}
{% macro hash_of_columns(source, table) -%}
    {%- set read = sync_logs.tables_read_of(source.type).get(table, {}) -%}
    {%- set found = sync_logs.source_columns(source, table).keys() | select('in', read) | sort | join(' ') -%}
    {{ return(local_md5(found)[:8]) }}
{%- endmacro %}

{#
  Returns a fingerprint of rows: it changes with any of some values.
  Arguments: values (list of SQL expressions).
#}
{% macro fingerprint_of_rows(values) -%}
    {%- set hashed = [] -%}
    {%- for value in values -%}
        {#- a null alone would leave the hash as it is -#}
        {%- do hashed.append(value ~ ', ' ~ value ~ ' is null') -%}
    {%- endfor -%}
    {%- set hash = 'xxhash64(' ~ hashed | join(', ') ~ ')' -%}
    concat_ws(
        '/',
        bit_xor({{ hash }}),
        -- equal rows are no change to bit_xor if they come in pairs
        sum({{ hash }} & 4294967295)
    )
{%- endmacro %}

{#
  Returns a fingerprint of what the rows of a run say about the run: the greatest value of each
  column, as JSON.
  Arguments: source, table; columns (list of strings).
#}
{% macro fingerprint_of_facts(source, table, columns) -%}
    {%- set values = [] -%}
    {%- for name in columns -%}
        {%- do values.append(sync_logs.greatest_of_column(source, table, name)) -%}
    {%- endfor -%}
    to_json(array({{ values | join(', ') }}))
{%- endmacro %}
