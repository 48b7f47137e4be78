{#
  Files whose columns have other physical types than the lake table declares: identifiers as numbers,
  times as text or nanoseconds, a column without a type because all of it was null. Spark skips such
  a file whole. Here they are grouped by the types that Spark infers from one file of the
  group, and each group becomes a pointer table with those types (a view would hide `_metadata`).
  Returns a list of {relation, types, condition}; empty if every file was read in full, as nearly always.
  Arguments: file_kind (string: batch or fact), limit (integer), the most groups that one build reads;
  the rest stay listed as issues.
#}
{% macro recovery_groups(file_kind, limit=20) -%}
    {%- set groups = [] -%}
    {%- if not execute or flags.WHICH not in ('build', 'run', 'retry') -%}
        {{ return(groups) }}
    {%- endif -%}
    {%- set left = namespace(files=run_query(sync_logs._unread_files(file_kind)).rows | list) -%}
    {%- for number in range(limit) if left.files -%}
        {%- set relation = api.Relation.create(
            schema=source('sync_logs_lake', 'batches').schema,
            identifier='recovered_' ~ file_kind ~ '_' ~ number) -%}
        {%- set types = sync_logs._inferred_types(file_kind, left.files[0]['relative_path']) -%}
        {%- do sync_logs._create_recovery_table(relation, file_kind, types) -%}
        {%- set paths = left.files | map(attribute='file_path') | list -%}
        {%- set condition = sync_logs._paths_in(paths) -%}
        {%- set counts = {} -%}
        {%- for row in run_query(sync_logs._decoded_counts(relation, types, condition)).rows -%}
            {%- do counts.update({row['file_path']: row['record_count']}) -%}
        {%- endfor -%}
        {%- set read = [] -%}
        {%- set unread = [] -%}
        {%- for file in left.files -%}
            {%- if counts.get(file['file_path']) == file['record_count'] -%}
                {%- do read.append(file['file_path']) -%}
            {%- elif not loop.first -%}
                {%- do unread.append(file) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if read -%}
            {%- do groups.append(
                {'relation': relation, 'types': types, 'condition': sync_logs._paths_in(read)}) -%}
        {%- endif -%}
        {%- set left.files = unread -%}
    {%- endfor -%}
    {{ return(groups) }}
{%- endmacro %}

{# Query: planned files of which fewer rows were landed than their footer promises. #}
{% macro _unread_files(file_kind) %}
    {%- set is_batch = file_kind == 'batch' -%}
    with

    planned as (
        select * from {{ ref('int_files__planned') }}
        where
            load_id = '{{ sync_logs.load_id() }}'
            and action = 'load'
            and file_kind = '{{ file_kind }}'
    ),

    landed as (
        select
            organization_id,
            {{ 'sync_id' if is_batch else 'cast(null as string) as sync_id' }},
            {{ 'sync_run_id' if is_batch else 'cast(null as string) as sync_run_id' }},
            file_name,
            count(*) as record_count
        from {{ ref('int_records__landed') if is_batch else ref('int_facts__landed') }}
        where load_id = '{{ sync_logs.load_id() }}'
        group by organization_id, {{ 'sync_id, sync_run_id,' if is_batch }} file_name
    ),

    footers as (
        select _metadata.file_path, count(*) as record_count
        from {{ source('sync_logs_lake', 'batches' if is_batch else 'facts') }}
        where {{ sync_logs.planned_paths_only(file_kind) }}
        group by _metadata.file_path
    )

    select planned.file_path, planned.relative_path, footers.record_count
    from planned
    inner join footers on planned.file_path = footers.file_path
    left join landed
        on
            planned.organization_id = landed.organization_id
            and planned.sync_id is not distinct from landed.sync_id
            and planned.sync_run_id is not distinct from landed.sync_run_id
            and planned.file_name = landed.file_name
    where footers.record_count != coalesce(landed.record_count, 0)
    order by planned.relative_path
{% endmacro %}

{# Types of the columns of one file; a column that it lacks has the type of the lake table. #}
{% macro _inferred_types(file_kind, relative_path) -%}
    {%- set path = (sync_logs.lake_path() ~ '/' ~ relative_path) | replace('`', '``') -%}
    {%- set found = {} -%}
    {%- for row in run_query('describe query select * from parquet.`' ~ path ~ '`').rows -%}
        {%- do found.update({row[0] | lower: row[1]}) -%}
    {%- endfor -%}
    {%- set types = {} -%}
    {%- set declared_columns = sync_logs._batch_columns() if file_kind == 'batch'
        else sync_logs._fact_columns() -%}
    {%- for column in declared_columns.split(', ') -%}
        {%- set name, declared = column.split(' ') -%}
        {%- do types.update({name: found.get(name, declared)}) -%}
    {%- endfor -%}
    {{ return(types) }}
{%- endmacro %}

{% macro _create_recovery_table(relation, file_kind, types) -%}
    {%- set folder = '/sync_tracking_datasets' if file_kind == 'batch' else '/metadata' -%}
    {%- set path = sync_logs.lake_path() ~ folder -%}
    {%- do run_query('drop table if exists ' ~ relation) -%}
    {%- call statement() -%}
        create table {{ relation }} (
            {% for name, type in types.items() %}
                {{ name }} {{ type }} {%- if not loop.last %}, {% endif %}
            {% endfor %}
        )
        using parquet
        options (
            path '{{ path | replace('\\', '\\\\') | replace("'", "\\'") }}',
            recursiveFileLookup 'true',
            pathGlobFilter '*.parquet',
            ignoreCorruptFiles 'true'
        )
    {%- endcall -%}
{%- endmacro %}

{# Query: rows of each file that can be decoded in full, all columns asked for. #}
{% macro _decoded_counts(relation, types, condition) %}
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
        where {{ condition }}
    )
    group by file_path
{% endmacro %}

{#
  A column of any type as the lake table declares it. Whole numbers lose the fraction that a
  column with nulls gets on its way through a data frame; numbers as times are epochs.
  Arguments: name (a column of the lake table), type (its physical type as Spark names it).
#}
{% macro recovered_column(name, type) -%}
    {%- set is_time = name in ('batch_started_at', 'batch_ended_at') -%}
    {%- set kind = type.split('(')[0].split('<')[0] -%}
    {%- if is_time and kind == 'string' -%}
        {{ return(sync_logs.utc_timestamp(name)) }}
    {%- elif is_time and kind in ('bigint', 'int', 'double', 'float', 'decimal') -%}
        {# not as doubles: they cannot hold nanoseconds, and microseconds would be off by one #}
        {%- set epoch = 'try_cast(' ~ name ~ ' as decimal(27, 6))' -%}
        {{ return('timestamp_micros(cast(case when abs(' ~ epoch ~ ') >= 1e17 then ' ~ epoch
            ~ ' / 1000 when abs(' ~ epoch ~ ') >= 1e14 then ' ~ epoch ~ ' when abs(' ~ epoch
            ~ ') >= 1e11 then ' ~ epoch ~ ' * 1000 else ' ~ epoch ~ ' * 1000000 end as bigint))') }}
    {%- elif is_time -%}
        {{ return('cast(' ~ name ~ ' as timestamp)') }}
    {%- elif kind in ('double', 'float') -%}
        {{ return('case when ' ~ name ~ ' = floor(' ~ name ~ ') and abs(' ~ name
            ~ ') < 1e15 then cast(cast(' ~ name ~ ' as bigint) as string) else cast('
            ~ name ~ ' as string) end') }}
    {%- elif kind in ('struct', 'map', 'array') -%}
        {{ return('to_json(' ~ name ~ ')') }}
    {%- endif -%}
    {{ return('cast(' ~ name ~ ' as string)') }}
{%- endmacro %}
