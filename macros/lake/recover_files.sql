{#
  Reads files whose columns have other physical types than the lake table declares: identifiers as
  numbers, times as strings or nanoseconds, a column without a type because all its values were
  null. Spark skips such a file as a whole. These macros group the files by the types that Spark
  infers from each, and create a pointer table with those types for each group (a view would hide
  `_metadata`). The types of one file are tried on another only if that cannot break anything: some
  combinations stop a query.
  A file stays unread, and is listed as an issue, if Spark cannot infer its types or if one of its
  times would be a guess.
#}

{# Query: the rows of a group of files with the types of the lake table, and what the plan says of each file. #}
{% macro rows_of_group(group) %}
    select
        files_planned.organization_id,
        files_planned.sync_id,
        files_planned.sync_run_id,
        files_planned.file_name,
        files_planned.batch_type,
        files_planned.batch_number,
        lake_rows.*
    from (
        select
            _metadata.file_path,
            {% for name, type in group.types.items() %}
                {{ sync_logs.converted_column(name, type) }} as {{ name }},
            {% endfor %}
            _metadata.row_index
        from {{ group.relation }}
        where {{ group.condition }}
    ) as lake_rows
    inner join {{ sync_logs.state_table('int_files__planned') }} as files_planned
        on
            lake_rows.file_path = files_planned.file_path
            and files_planned.load_id = '{{ sync_logs.load_id() }}'
{% endmacro %}

{#
  Finds the files of one kind that a model has skipped, and creates a pointer table for each group of
  types. Returns the groups, each as {relation, types, condition}. Files beyond the limits stay listed
  as issues.
  Arguments: file_kind (string): batch or fact.
#}
{% macro recovery_groups(file_kind) -%}
    {#- the most groups that one build reads, and the most files whose types it infers -#}
    {%- set limit, attempts = 50, 500 -%}
    {%- set groups = [] -%}
    {%- if not sync_logs.is_building() or sync_logs.is_idle() -%}
        {{ return(groups) }}
    {%- endif -%}
    {%- set columns = sync_logs.lake_columns()['batches' if file_kind == 'batch' else 'facts'] -%}
    {%- set unread = sync_logs.rowless_paths_only(file_kind) -%}
    {%- if unread == 'false' -%}
        {{ return(groups) }}
    {%- endif -%}
    {%- set files = run_query(sync_logs._unread_files(file_kind, unread)).rows | list -%}
    {%- set files_by_types = {} -%}
    {%- for file in files[:attempts] -%}
        {%- set types = sync_logs.types_of_file(file['relative_path'], columns) -%}
        {%- if types -%}
            {%- do files_by_types.setdefault(types | string, [types]).append(file) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set left = namespace(files=sync_logs._openable_files(file_kind, files[attempts:])) -%}
    {%- for members in files_by_types.values() if groups | length < limit -%}
        {%- set types = members[0] -%}
        {%- set relation = adapter.dispatch('lake_with_types', 'sync_logs')(
            'recovered_' ~ file_kind ~ '_' ~ groups | length, file_kind, types) -%}
        {%- set tried = members[1:] -%}
        {#- files of unknown types can be read with these: Spark skips those that do not fit -#}
        {%- if not types.values() | reject('in', ['string', 'timestamp', 'bigint']) | list -%}
            {%- set tried = tried + left.files -%}
        {%- endif -%}
        {%- set counts = sync_logs._decoded_counts(relation, types, tried) -%}
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

{# Returns those files that Spark can open with the types of the lake table. #}
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
  Query: planned files without a landed row although their footer declares rows. A column of another
  type makes Spark skip a whole file, so a file that landed in part is damaged.
  Arguments: file_kind (string): batch or fact; condition (SQL): on the paths of the files without a
  landed row.
#}
{% macro _unread_files(file_kind, condition) %}
    with

    rowless as (
        {{ sync_logs.rowless_files(file_kind) }}
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
  Returns the lake with other types, as a query reads it: a pointer table.
  Arguments: name (string); file_kind (string): batch or fact; types (mapping): {column: type}.
#}
{% macro default__lake_with_types(name, file_kind, types) -%}
    {%- set relation = sync_logs.lake_relation(name) -%}
    {%- do run_query('drop table if exists ' ~ relation) -%}
    {%- do sync_logs.create_pointer(
        relation, 'batches' if file_kind == 'batch' else 'facts', sync_logs.lake_path(),
        types.items() | map('join', ' ') | join(', ')) -%}
    {{ return(relation) }}
{%- endmacro %}

{#
  Counts, for each file, the rows that can be decoded with some types in full, with all columns
  selected. Returns {path: count}, which is empty if Spark cannot cast the types.
  Arguments: relation: as `lake_with_types` returned it; types (mapping); files (list of rows).
#}
{% macro _decoded_counts(relation, types, files) -%}
    {%- set counts = {} -%}
    {%- set query -%}
        select file_path, count(*) as record_count, max(record_length) as longest
        from (
            select
                _metadata.file_path,
                length(concat_ws('',
                    {%- for name, type in types.items() %}
                        cast({{ sync_logs.converted_column(name, type) }} as string)
                        {%- if not loop.last %}, {% endif %}
                    {%- endfor -%}
                )) as record_length
            from {{ relation }}
            where {{ sync_logs.paths_in(files | map(attribute='file_path') | list) }}
        )
        group by file_path
    {%- endset -%}
    {%- if sync_logs.can_be_planned(query) -%}
        {%- for row in run_query(query).rows -%}
            {%- do counts.update({row['file_path']: row['record_count']}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(counts) }}
{%- endmacro %}
