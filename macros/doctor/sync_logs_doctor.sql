{#
  Prints the engine, session, settings, sources and state of this installation, and what to change.
  Reads only.
    dbt run-operation sync_logs_doctor
#}
{% macro sync_logs_doctor() -%}
    {%- do sync_logs.check_operation('sync_logs_doctor', {}, kwargs) -%}
    {%- set advice = [] -%}
    {%- do sync_logs._print_section('Engine', sync_logs._engine_facts()) -%}
    {%- do sync_logs._print_section('Session', sync_logs.session_facts(advice)) -%}
    {%- do sync_logs._print_section('Settings', sync_logs._setting_facts(advice)) -%}
    {%- if sync_logs.lake_source() -%}
        {%- do sync_logs._print_section('Lake', sync_logs._lake_facts(advice)) -%}
    {%- endif -%}
    {%- if sync_logs.table_sources() -%}
        {%- do sync_logs._print_section('Tables of sources', sync_logs.source_facts(advice)) -%}
    {%- endif -%}
    {%- do sync_logs._print_section('State', sync_logs._state_facts(advice)) -%}
    {%- do log('\nWhat to change', info=true) -%}
    {%- for line in advice or ['nothing'] -%}
        {%- do log('  - ' ~ line, info=true) -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _print_section(title, facts) -%}
    {%- set width = facts | map('first') | map('length') | max -%}
    {%- do log('\n' ~ title, info=true) if facts -%}
    {%- for name, value in facts -%}
        {%- do log('  ' ~ name ~ ' ' * (width - name | length) ~ '  ' ~ value, info=true) -%}
    {%- endfor -%}
{%- endmacro %}

{% macro _engine_facts() -%}
    {%- set row = adapter.dispatch('engine_versions', 'sync_logs')() -%}
    {%- set is_alone = sync_logs.holds_catalog() -%}
    {%- set missing = [] -%}
    {%- for one in sync_logs.missing_in_spark(row[0]) -%}
        {%- do missing.append(['missing', one]) -%}
    {%- endfor -%}
    {{ return([
        ['dbt', dbt_version],
        ['Spark', row | join(', ')],
        ['format', sync_logs.file_format()],
        ['target', target.name ~ (' at ' ~ env_var('SPARK_REMOTE') if env_var('SPARK_REMOTE', '') else '')],
        ['lock', 'this command has locked the catalog' if is_alone
            else 'none; if two builds run at the same time, the second is refused when it commits'],
        ['schemas', sync_logs.mart_schema() ~ ', ' ~ sync_logs.state_schema()],
    ] + missing) }}
{%- endmacro %}

{# Returns what the engine says about itself. #}
{% macro default__engine_versions() -%}
    {%- set row = run_query(
        "select split(version(), ' ')[0], reflect('java.lang.System', 'getProperty', 'java.version')").rows[0] -%}
    {{ return([row[0], 'Java ' ~ row[1]]) }}
{%- endmacro %}

{% macro _setting_facts(advice) -%}
    {%- set facts = [] -%}
    {%- for name in sync_logs.declared_settings() -%}
        {%- do facts.append([name, 'null' if var(name) in (none, '') else var(name)]) -%}
    {%- endfor -%}
    {%- if var('sync_logs_as_of') is not none -%}
        {%- do advice.append('sync_logs_as_of is set: runs settle only up to that time. Remove it for ordinary builds.') -%}
    {%- endif -%}
    {%- if var('sync_logs_lake_moved') -%}
        {%- do advice.append('sync_logs_lake_moved is true: remove it after one build.') -%}
    {%- endif -%}
    {{ return(facts) }}
{%- endmacro %}

{% macro _lake_facts(advice) -%}
    {%- if not sync_logs.pointer_facts() -%}
        {{ return([['path', sync_logs.lake_path()], ['files', 'not known before the first build']]) }}
    {%- endif -%}
    {#- Spark would not list the lake again; without pointer tables, each query does -#}
    {%- for name in ['files', 'fact_files'] if sync_logs.engine().has_pointers -%}
        {%- do run_query('refresh table ' ~ sync_logs.lake_table(name)) -%}
    {%- endfor -%}
    {%- set row = run_query(sync_logs._lake_query()).rows[0] -%}
    {%- if row['file_count'] == 0 -%}
        {%- do advice.append('No file under ' ~ sync_logs.lake_path() ~ '/sync_tracking_datasets: set SYNC_LOGS_LAKE_PATH to the root of a lake.') -%}
    {%- endif -%}
    {{ return([
        ['path', sync_logs.lake_path()],
        ['files', row['file_count'] ~ ', ' ~ row['size_mb'] ~ ' MB'],
        ['newest file', row['newest'] or 'none'],
        ['schema generations', sync_logs._generations() | join(', ') or 'not known before the first build'],
    ]) }}
{%- endmacro %}

{# Query: the number and size of all files that a build lists, counted as in the manifest. #}
{% macro _lake_query() %}
    with

    files as (
        select
            _metadata.file_size,
            _metadata.file_modification_time
        from {{ sync_logs.lake_table('files') }}
        union all
        select
            _metadata.file_size,
            _metadata.file_modification_time
        from {{ sync_logs.lake_table('fact_files') }}
    )

    select
        count(*) as file_count,
        cast(coalesce(sum(file_size), 0) / 1e6 as decimal(18, 1)) as size_mb,
        date_format(max(file_modification_time), 'yyyy-MM-dd HH:mm:ss') as newest
    from files
{% endmacro %}

{#
  Returns the schema generations in a sample: files are sorted by age, and the oldest of each fifth
  is taken.
#}
{% macro _generations() -%}
    {%- set found = [] -%}
    {%- if load_relation(sync_logs.state_table('int_files__landed')) is not none -%}
        {%- for row in run_query(sync_logs._sample_query()).rows -%}
            {%- set columns = sync_logs.described_columns(
                sync_logs.lake_file(row['relative_path'])) or {} -%}
            {%- set generation =
                'with census_sync_tracking_internal_id' if 'census_sync_tracking_internal_id' in columns
                else 'with sync_configuration_id and sync_run_id' if 'sync_configuration_id' in columns
                else 'plain' -%}
            {%- if generation not in found -%}
                {%- do found.append(generation) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(found) }}
{%- endmacro %}

{% macro _sample_query() %}
    select min_by(relative_path, struct(file_modified_at, relative_path)) as relative_path
    from (
        select
            relative_path,
            file_modified_at,
            ntile(5) over (order by file_modified_at asc, relative_path asc) as part
        from {{ sync_logs.state_table('int_files__landed') }}
        where
            load_id = '{{ sync_logs.committed_load_id() }}'
            and file_kind = 'batch' and file_path is not null and is_in_lake and issue is null
    )
    group by part
{% endmacro %}

{% macro _state_facts(advice) -%}
    {%- set current = sync_logs.state_table('sync_load_current') -%}
    {%- set committed_load_id = sync_logs.committed_load_id() if sync_logs.table_or_view(current) is not none -%}
    {%- if not committed_load_id -%}
        {%- do advice.append('Nothing has been built yet: run `dbt build`.') -%}
        {{ return([['last commit', 'none']]) }}
    {%- endif -%}
    {%- set version = sync_logs.found_schema_version() -%}
    {%- if version < sync_logs.schema_version() -%}
        {%- do advice.append('The state has version ' ~ version ~ ': run `dbt build` once, which migrates it.') -%}
        {{ return([['schema version', version ~ ', this package needs ' ~ sync_logs.schema_version()]]) }}
    {%- endif -%}
    {%- do sync_logs.check_not_newer(version) -%}
    {%- set row = run_query(sync_logs._state_query(committed_load_id)).rows[0] -%}
    {%- set issue_count = row['issue_count'] + sync_logs._unseen_file_count(committed_load_id) -%}
    {%- set references = sync_logs.live_references(true) -%}
    {%- set live = sync_logs.live_loads(references) -%}
    {%- set recorded = references['recorded'] -%}
    {%- set killed = sync_logs.loads_in(sync_logs.state_table('int_files__planned')) | reject('in', recorded) | list -%}
    {%- if killed -%}
        {%- do advice.append(killed | length ~ ' loads of killed builds are on disk: '
            ~ ('the next `dbt build` drops them, or `dbt run-operation sync_logs_collect`.'
                if sync_logs.holds_catalog()
                else '`dbt build` drops each when it is a day old, because its build may still be running until then.')) -%}
    {%- endif -%}
    {%- if live | length > var('sync_logs_max_live_loads') -%}
        {%- do advice.append('There are more live loads than sync_logs_max_live_loads: run `dbt run-operation sync_logs_compact`.') -%}
    {%- endif -%}
    {%- if issue_count > 0 -%}
        {%- do advice.append(issue_count ~ ' files of the lake have issues: see lake_file_issues.') -%}
    {%- endif -%}
    {%- if row['too_late_count'] > 0 -%}
        {%- do advice.append(row['too_late_count'] ~ ' runs arrived too late, after later ones had been pruned: see is_too_late in sync_runs.') -%}
    {%- endif -%}
    {%- if row['due_count'] > 0 -%}
        {%- do advice.append(row['due_count'] ~ ' runs are due for a recount after a purge: run `dbt build`.') -%}
    {%- endif -%}
    {{ return([
        ['last commit', row['recorded_load_id'] ~ ', a ' ~ row['operation'] ~ ' that ended at '
            ~ row['finished_at'] ~ ' UTC'],
        ['schema version', version],
        ['builds', recorded | length],
        ['loads', live | length ~ ' live, ' ~ killed | length ~ ' of killed builds'],
        ['files', row['file_count'] ~ ' (' ~ row['batch_count'] ~ ' batches, ' ~ row['metadata_count']
            ~ ' metadata.json, ' ~ row['fact_count'] ~ ' facts, ' ~ row['other_count']
            ~ ' outside the layout), ' ~ row['gone_count'] ~ ' missing from the lake'],
        ['files with issues', issue_count],
        ['runs', row['run_count'] ~ ', ' ~ row['open_count'] ~ ' not settled, ' ~ row['pruned_count']
            ~ ' pruned, ' ~ row['too_late_count'] ~ ' too late'],
    ]) }}
{%- endmacro %}

{% macro _state_query(committed_load_id) %}
    with

    loads as (
        select * from {{ sync_logs.state_table('int_loads__recorded') }}
        where load_id = '{{ committed_load_id }}' and recorded_load_id = load_id
    ),

    files as (
        select
            count_if(is_in_lake) as file_count,
            count_if(is_in_lake and file_kind = 'batch') as batch_count,
            count_if(is_in_lake and file_kind = 'metadata') as metadata_count,
            count_if(is_in_lake and file_kind = 'fact') as fact_count,
            count_if(is_in_lake and file_kind = 'other') as other_count,
            count_if(not is_in_lake) as gone_count,
            count_if(is_in_lake and issue is not null) as issue_count
        from {{ sync_logs.state_table('int_files__landed') }}
        where load_id = '{{ committed_load_id }}' and file_path is not null
    ),

    runs as (
        select
            count(*) as run_count,
            count_if(not is_settled) as open_count,
            count_if(is_pruned) as pruned_count,
            count_if(is_too_late) as too_late_count,
            count_if(is_recount_due) as due_count
        from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ committed_load_id }}'
    )

    select
        loads.recorded_load_id,
        loads.operation,
        date_format(loads.finished_at, 'yyyy-MM-dd HH:mm') as finished_at,
        files.*,
        runs.*
    from loads
    cross join files
    cross join runs
{% endmacro %}

{#
  Returns the number of empty and hidden files. No query shows them, so the manifest lacks them.
#}
{% macro _unseen_file_count(committed_load_id) -%}
    {%- set relation = sync_logs.state_table('int_files__audited') -%}
    {%- if not sync_logs.runs_python_models() or load_relation(relation) is none -%}
        {{ return(0) }}
    {%- endif -%}
    {{ return(run_query(
        "select count_if(issue in ('empty file', 'hidden from queries')) - count_if(issue = 'no longer found') from "
        ~ relation ~ " where load_id = '" ~ committed_load_id ~ "'").rows[0][0]) }}
{%- endmacro %}
