{#
  Files whose columns have other physical types than the lake table declares: identifiers as numbers,
  times as text or nanoseconds, a column without a type because all of it was null. Spark skips such
  a file whole. Here they are grouped by the types that Spark infers from each, and each group
  becomes a pointer table with those types (a view would hide `_metadata`). Types of another file are
  never tried on a file unless nothing can break by it: some combinations end a query.
  A file whose types Spark cannot infer, or of which a time would be a guess, stays unread, and so listed as an issue.
#}

{# The groups of files that this build reads a second time; none, as nearly always, if the landing read all. #}
{% macro recovery_groups(file_kind) -%}
    {{ return(graph.get('sync_logs_recovery_groups', {}).get(sync_logs.load_id() ~ file_kind, []) if execute else []) }}
{%- endmacro %}

{#
  After the landing of a kind of files: finds those that it skipped, makes a pointer table for each group of types,
  and notes the groups, {relation, types, condition} each, for the model that reads them (`recovery_groups`).
  Arguments: file_kind (string: batch or fact); limit (integer), the most groups that one build
  reads; attempts (integer), the most files that one build asks for their types. What is left
  stays listed as issues.
#}
{% macro find_recovery_groups(file_kind, limit=50, attempts=500) -%}
    {%- if execute and sync_logs.is_building() and not sync_logs.is_idle() and not flags.EMPTY -%}
        {%- do graph.setdefault('sync_logs_recovery_groups', {}).update({
            sync_logs.load_id() ~ file_kind: sync_logs._found_recovery_groups(file_kind, limit, attempts)}) -%}
    {%- endif -%}
{%- endmacro %}

{% macro _found_recovery_groups(file_kind, limit, attempts) -%}
    {%- set groups = [] -%}
    {%- set unread = sync_logs.rowless_paths_only(file_kind, ['landed']) -%}
    {%- if unread == 'false' -%}
        {{ return(groups) }}
    {%- endif -%}
    {%- set files = run_query(sync_logs._unread_files(file_kind, unread)).rows | list -%}
    {%- set files_by_types = {} -%}
    {%- for file in files[:attempts] -%}
        {%- set types = sync_logs._inferred_types(file_kind, file['relative_path']) -%}
        {%- if types -%}
            {%- do files_by_types.setdefault(types | string, [types]).append(file) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set left = namespace(files=sync_logs._openable_files(file_kind, files[attempts:])) -%}
    {%- for members in files_by_types.values() if groups | length < limit -%}
        {%- set relation = api.Relation.create(
            schema=sync_logs.lake_schema(),
            identifier='recovered_' ~ file_kind ~ '_' ~ groups | length) -%}
        {%- set types = members[0] -%}
        {%- set tried = members[1:] -%}
        {%- if sync_logs._are_safe_to_try(types) -%}
            {%- set tried = tried + left.files -%}
        {%- endif -%}
        {%- set counts = sync_logs._decoded_counts(relation, file_kind, types, tried) -%}
        {%- set read = [] -%}
        {%- for file in tried if counts.get(file['file_path']) == file['record_count'] -%}
            {%- do read.append(file['file_path']) -%}
        {%- endfor -%}
        {%- if read -%}
            {%- do groups.append(
                {'relation': relation, 'types': types, 'condition': sync_logs.paths_in(read)}) -%}
            {%- set left.files = left.files | rejectattr('file_path', 'in', read) | list -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(groups) }}
{%- endmacro %}

{# Whether files of unknown types can be read with these: Spark skips those that do not fit. #}
{% macro _are_safe_to_try(types) -%}
    {{ return(types.values() | reject('in', ['string', 'timestamp', 'bigint']) | list == []) }}
{%- endmacro %}

{# Those of some files that Spark can open with the types of the lake table. #}
{% macro _openable_files(file_kind, files) -%}
    {%- if not files -%}
        {{ return(files) }}
    {%- endif -%}
    {%- set paths = sync_logs.openable_paths(
        sync_logs.lake_table('batches' if file_kind == 'batch' else 'facts'),
        sync_logs.column_names(file_kind),
        files | map(attribute='file_path') | list) -%}
    {{ return(files | selectattr('file_path', 'in', paths) | list) }}
{%- endmacro %}

{#
  Query: planned files of which no row was landed although their footer promises some. (A column of
  another type makes Spark skip a whole file, so one that was landed in part is damaged.)
  Arguments: file_kind (string: batch or fact), condition (for the paths of the files without a landed row).
#}
{% macro _unread_files(file_kind, condition) %}
    with

    rowless as (
        {{ sync_logs.rowless_files(file_kind, ['landed']) }}
    ),

    footers as (
        select _metadata.file_path, count(*) as record_count
        from {{ sync_logs.lake_table('batches' if file_kind == 'batch' else 'facts') }}
        where {{ condition }}
        group by _metadata.file_path
    )

    select rowless.file_path, rowless.relative_path, footers.record_count
    from rowless
    inner join footers on rowless.file_path = footers.file_path
    order by rowless.relative_path
{% endmacro %}

{#
  Types of the columns of the lake table as one file has them; a column that it lacks has the type of
  the lake table. Empty if Spark cannot infer them, or if a time has a type that says no time.
#}
{% macro _inferred_types(file_kind, relative_path) -%}
    {%- set file = sync_logs.lake_file(relative_path) -%}
    {%- set found = sync_logs.described_columns(file) -%}
    {%- if found is none -%}
        {{ return({}) }}
    {%- endif -%}
    {%- set declared_columns = sync_logs.batch_columns() if file_kind == 'batch'
        else sync_logs.fact_columns() -%}
    {%- set types = {} -%}
    {%- set times = namespace(are_certain=true) -%}
    {%- for column in declared_columns.split(', ') -%}
        {%- set name, declared = column.split(' ') -%}
        {%- set type = sync_logs._table_type(file, name, found.get(name, declared), declared) -%}
        {%- do types.update({name: type}) -%}
        {%- if declared == 'timestamp' and sync_logs._kind_of(type) not in (
            'string', 'timestamp', 'date', 'tinyint', 'smallint', 'int', 'bigint', 'decimal',
            'float', 'double') -%}
            {%- set times.are_certain = false -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not times.are_certain or not sync_logs._can_be_declared(types) -%}
        {{ return({}) }}
    {%- endif -%}
    {{ return(types) }}
{%- endmacro %}

{# A parquet file of the lake as SQL reads it alone. Argument: relative_path (string). #}
{% macro lake_file(relative_path) -%}
    {%- set path = sync_logs._without_globs(sync_logs.lake_path() ~ '/' ~ relative_path) -%}
    {{ return('parquet.`' ~ path | replace('`', '``') ~ '`') }}
{%- endmacro %}

{#
  {name in lower case: type} of the columns of a relation; none if Spark cannot tell them.
  Argument: relation (SQL).
#}
{% macro described_columns(relation) -%}
    {%- set query = 'select * from ' ~ relation -%}
    {%- if not sync_logs._can_be_planned(query) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set found = {} -%}
    {%- for row in run_query('describe query ' ~ query).rows -%}
        {%- do found.update({row[0] | lower: row[1]}) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  The type with which a table reads a column. Arguments: file (SQL), name, found (the type as Spark
  describes it), declared (the type in the lake table).
#}
{% macro _table_type(file, name, found, declared) -%}
    {%- if found == 'void' -%}
        {{ return(declared) }}
    {%- elif found == 'timestamp_ntz' -%}
        {# read as if it had a zone it is UTC, whatever the zone of the session #}
        {{ return('timestamp') }}
    {%- elif '<' not in found -%}
        {{ return(found) }}
    {%- endif -%}
    {# `describe` cuts long types short; and a field may have a name that must be quoted #}
    {%- set whole = run_query('select typeof(' ~ name ~ ') from ' ~ file ~ ' limit 1').rows[0][0] -%}
    {{ return(modules.re.sub('([<,])([^<>,:]+):', '\\1`\\2`:', whole | replace('`', '``'))) }}
{%- endmacro %}

{# Whether Spark can plan a query: `explain` tells as text what would else stop the build. #}
{% macro _can_be_planned(query) -%}
    {%- set told = run_query('explain ' ~ query).rows[0][0] | string -%}
    {{ return(not told.startswith('Error occurred')) }}
{%- endmacro %}

{# Whether a table can be made with these types: not every name of a field can be quoted. #}
{% macro _can_be_declared(types) -%}
    {%- set columns = [] -%}
    {%- for name, type in types.items() -%}
        {%- do columns.append(name ~ ' ' ~ type) -%}
    {%- endfor -%}
    {%- set literal = sync_logs.text_literal(columns | join(', ')) -%}
    {{ return(sync_logs._can_be_planned("select from_json('', " ~ literal ~ ')')) }}
{%- endmacro %}

{# A path of which Spark takes every character as it is. #}
{% macro _without_globs(path) -%}
    {{ return(modules.re.sub('([\\\\*?{}\\[\\]])', '\\\\\\1', path)) }}
{%- endmacro %}

{# The first word of a type: decimal of decimal(10,2), struct of struct<…>. #}
{% macro _kind_of(type) -%}
    {{ return(type.split('(')[0].split('<')[0]) }}
{%- endmacro %}

{% macro _create_recovery_table(relation, file_kind, types) -%}
    {%- set folder = '/sync_tracking_datasets' if file_kind == 'batch' else '/metadata' -%}
    {%- do run_query('drop table if exists ' ~ relation) -%}
    {%- call statement() -%}
        create table {{ relation }} (
            {% for name, type in types.items() %}
                {{ name }} {{ type }} {%- if not loop.last %}, {% endif %}
            {% endfor %}
        )
        using parquet
        options (
            path {{ sync_logs.text_literal(sync_logs.lake_path() ~ folder) }},
            recursiveFileLookup 'true',
            pathGlobFilter '*.parquet',
            ignoreCorruptFiles 'true'
        )
    {%- endcall -%}
{%- endmacro %}

{#
  Makes the pointer table for some types and counts the rows of each file that can be decoded
  with them in full, all columns asked for. Nothing if Spark cannot cast them.
#}
{% macro _decoded_counts(relation, file_kind, types, files) -%}
    {%- set counts = {} -%}
    {%- do sync_logs._create_recovery_table(relation, file_kind, types) -%}
    {%- set query -%}
        select file_path, count(*) as record_count, max(record_length) as longest
        from (
            select
                _metadata.file_path,
                length(concat_ws('',
                    {%- for name, type in types.items() %}
                        cast({{ sync_logs.recovered_column(name, type) }} as string)
                        {%- if not loop.last %}, {% endif %}
                    {%- endfor -%}
                )) as record_length
            from {{ relation }}
            where {{ sync_logs.paths_in(files | map(attribute='file_path') | list) }}
        )
        group by file_path
    {%- endset -%}
    {%- if sync_logs._can_be_planned(query) -%}
        {%- for row in run_query(query).rows -%}
            {%- do counts.update({row['file_path']: row['record_count']}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(counts) }}
{%- endmacro %}

{#
  A column of any type as the lake table declares it. Whole numbers lose the fraction that a
  column with nulls gets on its way through a data frame, up to what a bigint holds; all others are
  text as Spark writes them. Numbers as times are epochs, dates midnight in UTC.
  Arguments: name (a column of the lake table), type (its physical type as Spark names it).
#}
{% macro recovered_column(name, type) -%}
    {%- set is_time = name in ('batch_started_at', 'batch_ended_at') -%}
    {%- set kind = sync_logs._kind_of(type) -%}
    {%- if is_time and kind == 'timestamp' -%}
        {{ return(name) }}
    {%- elif is_time and kind in ('string', 'date') -%}
        {{ return(sync_logs.utc_timestamp('cast(' ~ name ~ ' as string)')) }}
    {%- elif is_time -%}
        {# not as doubles: they cannot hold nanoseconds, and microseconds would be off by one #}
        {%- set epoch = 'try_cast(' ~ name ~ ' as decimal(27, 6))' -%}
        {{ return('timestamp_micros(cast(case when abs(' ~ epoch ~ ') >= 1e17 then ' ~ epoch
            ~ ' / 1000 when abs(' ~ epoch ~ ') >= 1e14 then ' ~ epoch ~ ' when abs(' ~ epoch
            ~ ') >= 1e11 then ' ~ epoch ~ ' * 1000 else ' ~ epoch ~ ' * 1000000 end as bigint))') }}
    {%- elif kind in ('double', 'float') -%}
        {# below 2 to the power of 63; NaN is above every number #}
        {{ return('case when abs(' ~ name ~ ') < 9223372036854775808D and ' ~ name ~ ' = floor('
            ~ name ~ ') then cast(cast(' ~ name ~ ' as bigint) as string) else cast('
            ~ name ~ ' as string) end') }}
    {%- elif kind == 'decimal' -%}
        {{ return('case when ' ~ name ~ ' = floor(' ~ name ~ ') then cast(floor(' ~ name
            ~ ') as string) else cast(' ~ name ~ ' as string) end') }}
    {%- elif kind == 'timestamp' -%}
        {# a cast alone would print it in the zone of the session #}
        {{ return("cast(timestamp_ntz '1970-01-01' + unix_micros(" ~ name
            ~ ") * interval '0.000001' second as string)") }}
    {%- elif kind in ('struct', 'map', 'array') -%}
        {{ return('to_json(' ~ name ~ ')') }}
    {%- endif -%}
    {{ return('cast(' ~ name ~ ' as string)') }}
{%- endmacro %}
