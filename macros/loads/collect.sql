{#
  Drops the loads that nothing refers to any more: those of killed builds, and those that later
  loads have replaced. What the previous commit refers to is kept, so that queries that started
  before the last build can finish.
  By hand: dbt run-operation sync_logs_collect
#}
{% macro sync_logs_collect(keep_previous=true) -%}
    {%- do sync_logs.check_operation(
        'sync_logs_collect', {'keep_previous': [keep_previous, 'boolean']}, kwargs) -%}
    {%- do sync_logs.check_schema_version() -%}
    {%- set dropped = sync_logs.collect(sync_logs.live_references(keep_previous), not keep_previous) -%}
    {%- do log(dropped ~ ' dead partitions dropped from ' ~ sync_logs.state_schema() ~ '.', info=true) -%}
{%- endmacro %}

{#
  Arguments: references (mapping): as returned by `live_references`; erases (boolean): whether the
  files of all dropped rows must be gone from disk at the end.
  Returns the number of dropped partitions.
#}
{% macro collect(references, erases=false) -%}
    {%- set is_alone = sync_logs.holds_catalog() -%}
    {%- set dropped = namespace(count=0) -%}
    {%- set listed = sync_logs.loads_in(sync_logs.state_table('int_files__planned')) -%}
    {%- set erases = sync_logs._erases_now(erases or 'collecting' in listed, listed, references, is_alone) -%}
    {# dropped with the rest at the very end; if it is still there, the collection was killed #}
    {%- do sync_logs.announce_load('collecting') -%}
    {%- for table, live in sync_logs._live_loads_by_table(references).items() -%}
        {%- set relation = sync_logs.state_table(table) -%}
        {%- if erases -%}
            {%- do sync_logs.remove_unfinished(relation, 'collecting') -%}
        {%- endif -%}
        {%- do sync_logs.list_lost_loads(relation) -%}
        {%- set dead = [] -%}
        {%- for load_id in sync_logs.loads_in(relation)
            if load_id not in live and sync_logs.is_unowned(load_id, references['load'], is_alone) -%}
            {%- do dead.append(load_id) -%}
        {%- endfor -%}
        {%- do sync_logs.drop_loads(relation, dead) -%}
        {%- if dead or erases -%}
            {%- do sync_logs.erase_dropped(relation, erases) -%}
        {%- endif -%}
        {%- set dropped.count = dropped.count + dead | reject('eq', 'collecting') | list | length -%}
    {%- endfor -%}
    {{ return(dropped.count) }}
{%- endmacro %}

{#
  Returns whether a collection can delete every file that no commit needs: not while another build
  may be writing some.
#}
{% macro _erases_now(erases, listed, references, is_alone) -%}
    {%- set others = [] -%}
    {%- for load_id in listed
        if load_id not in references['load'] and load_id not in [sync_logs.load_id(), sync_logs.operation_load_id()]
        and not sync_logs.is_unowned(load_id, references['load'], is_alone) -%}
        {%- do others.append(load_id) -%}
    {%- endfor -%}
    {%- if erases and others and sync_logs.has_commit_log() -%}
        {%- do exceptions.warn(
            'The build of load ' ~ others[0] ~ ' may still be running, so the files of dropped rows stay on disk. '
            ~ "When it has ended, run `dbt run-operation sync_logs_collect --args '{keep_previous: false}'`.") -%}
    {%- endif -%}
    {{ return(erases and not others) }}
{%- endmacro %}

{#
  Returns {name of a table: loads whose rows are kept}. The table that lists loads comes last: as
  long as it lists a dead load, the next build collects. The list of purged records is the only
  table without a model.
#}
{% macro _live_loads_by_table(references) -%}
    {%- set live = {'purged_records': references['purge']} -%}
    {%- for node in sync_logs.state_tables() -%}
        {%- do live.update({node.name: references[node.config.meta.state.rows_of]}) -%}
    {%- endfor -%}
    {{ return(live) }}
{%- endmacro %}

{#
  Returns {whose rows: load ids} that the kept commits refer to; `recorded` has all commits ever.
#}
{% macro live_references(keep_previous) -%}
    {{ return(sync_logs.references_of(sync_logs.kept_commits(keep_previous))) }}
{%- endmacro %}

{#
  Returns `load` and `recorded` of `live_references`, which every build needs and which need no
  shuffle.
#}
{% macro kept_commits(keep_previous) -%}
    {%- set current = sync_logs.committed_load_id() -%}
    {%- set recorded = run_query(
        "select recorded_load_id from " ~ sync_logs.state_table('int_loads__recorded')
        ~ " where load_id = '" ~ current ~ "'").columns[0].values() | list -%}
    {%- set commits = [current] -%}
    {%- if keep_previous -%}
        {# idle builds are recorded too, but have no manifest #}
        {%- set manifests = sync_logs.loads_in(sync_logs.state_table('int_files__landed')) -%}
        {%- set earlier = recorded | select('in', manifests) | select('lt', current) | sort -%}
        {%- do commits.extend(earlier[-1:]) -%}
    {%- endif -%}
    {{ return({'load': commits, 'recorded': recorded}) }}
{%- endmacro %}

{#
  Returns the kept commits and what they refer to.
  Arguments: kept (mapping): as returned by `kept_commits`.
#}
{% macro references_of(kept) -%}
    {%- set found = {'file': [], 'run': [], 'checkpoint': [], 'purge': []} -%}
    {%- do found.update(kept) -%}
    {%- set commits = "('" ~ kept['load'] | join("', '") ~ "')" -%}
    {%- for row in run_query(sync_logs._references_query(commits)).rows -%}
        {%- do found[row[0]].append(row[1]) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{% macro _references_query(commits) %}
    {% for rows_of, manifest in sync_logs.manifests().items() %}
        select distinct '{{ rows_of }}' as reference, {{ manifest.column }} as referred_load_id
        from {{ sync_logs.state_table(manifest.table) }}
        where load_id in {{ commits }} and {{ manifest.column }} is not null
        union all
    {% endfor %}
    select distinct 'purge' as reference, recorded_load_id as referred_load_id
    from {{ sync_logs.state_table('int_loads__recorded') }}
    where load_id in {{ commits }} and operation = 'purge'
{% endmacro %}

{#
  Returns whether a load cannot belong to a build that is still running elsewhere. While this
  process holds the lock of the catalog, no other process builds. On a server, a load that is
  younger than a day may belong to a running build.
#}
{% macro is_unowned(load_id, commits, is_alone) -%}
    {%- if load_id == sync_logs.load_id() -%}
        {# what a failed build wrote stays for inspection until the next build #}
        {{ return(load_id in commits) }}
    {%- endif -%}
    {%- if is_alone or load_id == 'collecting' -%}
        {{ return(true) }}
    {%- endif -%}
    {%- set day_ago = run_started_at - modules.datetime.timedelta(days=1) -%}
    {{ return(load_id < day_ago.strftime('%Y%m%dT%H%M%S%f') or load_id < commits[-1]) }}
{%- endmacro %}

{#
  Returns whether this process holds the lock of the catalog, as set by the plugin that starts the
  embedded Spark.
#}
{% macro holds_catalog() -%}
    {{ return(
        sync_logs.engine().has_lock and run_query('set spark.sync_logs.holdsCatalog').rows[0][1] == 'true'
        and not sync_logs.has_own_catalog()) }}
{%- endmacro %}
