{#
  Drops the loads that nothing refers to any more: those of killed builds, and those that later loads
  have replaced. What the commit before the current one refers to is kept, so that a question which
  was asked before the last build can still be answered.
  Run by hand: dbt run-operation sync_logs_collect
  Argument: keep_previous (boolean); false also drops what only the commit before the last needs.
#}
{% macro sync_logs_collect(keep_previous=true) -%}
    {%- do sync_logs.check_operation(
        'sync_logs_collect', {'keep_previous': [keep_previous, 'boolean']}, kwargs) -%}
    {%- do sync_logs.check_schema_version() -%}
    {%- set dropped = sync_logs._collect(sync_logs._live_references(keep_previous)) -%}
    {%- do log(dropped ~ ' dead partitions dropped from ' ~ sync_logs.state_schema() ~ '.', info=true) -%}
{%- endmacro %}

{# Argument: references (as _live_references gives them). Returns the number of dropped partitions. #}
{% macro _collect(references) -%}
    {%- set is_alone = sync_logs.holds_catalog() -%}
    {%- set dropped = namespace(count=0) -%}
    {# dropped with the rest, at the very end: if it is still there, the collection was killed #}
    {%- do sync_logs.announce_load('collecting') -%}
    {%- for reference, tables in sync_logs._tables_by_reference().items() -%}
        {%- for table in tables -%}
            {%- set relation = sync_logs.state_table(table) -%}
            {# a kill can leave folders that the catalog does not know: it learns of them first #}
            {%- do run_query('msck repair table ' ~ relation) -%}
            {%- set dead = [] -%}
            {%- for load_id in sync_logs._partitions(relation)
                if load_id not in references[reference]
                and sync_logs._is_nobodys(load_id, references['commit'], is_alone) -%}
                {%- do dead.append("partition (load_id = '" ~ load_id ~ "')") -%}
            {%- endfor -%}
            {%- if dead -%}
                {%- do run_query(
                    'alter table ' ~ relation ~ ' drop if exists ' ~ dead | join(', ')) -%}
                {%- set dropped.count = dropped.count + dead | length -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(dropped.count) }}
{%- endmacro %}

{#
  The plan of files comes last: as long as it knows a load that is dead, the next build collects.
#}
{% macro _tables_by_reference() -%}
    {{ return({
        'landed': ['int_records__landed', 'int_records__recovered', 'int_facts__landed',
            'int_facts__recovered', 'int_run_metadata__landed'],
        'built': ['int_changelog__built', 'int_run_counts__built',
            'int_membership_events__built', 'int_memberships__built', 'int_field_changes__built'],
        'checkpoint': ['int_record_states__built', 'int_record_errors__built'],
        'purged': ['purged_records'],
        'commit': sync_logs._other_load_tables() + ['int_files__landed', 'int_runs__planned',
            'int_loads__recorded', 'int_files__planned'],
    }) }}
{%- endmacro %}

{# Tables of which only the rows of the commit itself are read. #}
{% macro _other_load_tables() -%}
    {{ return(['int_runs__summarised', 'int_seed_states__built']
        + sync_logs.answer_models() | map(attribute='name') | list
        + (['int_files__audited'] if sync_logs.is_file_audit_on() else [])) }}
{%- endmacro %}

{# {kind of reference: load ids} of the commits that are kept; `recorded` are all commits ever. #}
{% macro _live_references(keep_previous) -%}
    {{ return(sync_logs._references_of(sync_logs._kept_commits(keep_previous))) }}
{%- endmacro %}

{# `commit` and `recorded` of `_live_references`: what every build asks for, and needs no shuffle. #}
{% macro _kept_commits(keep_previous) -%}
    {%- set current = sync_logs.committed_load_id() -%}
    {%- set recorded = run_query(
        "select recorded_load_id from " ~ sync_logs.state_table('int_loads__recorded')
        ~ " where load_id = '" ~ current ~ "'").columns[0].values() | list -%}
    {%- set commits = [current] -%}
    {%- if keep_previous -%}
        {# builds that found nothing new are recorded too, and have no manifest #}
        {%- set manifests = sync_logs._partitions(sync_logs.state_table('int_files__landed')) -%}
        {%- set earlier = recorded | select('in', manifests) | select('lt', current) | sort -%}
        {%- do commits.extend(earlier[-1:]) -%}
    {%- endif -%}
    {{ return({'commit': commits, 'recorded': recorded}) }}
{%- endmacro %}

{# The commits that are kept, with what they refer to. Argument: kept (of `_kept_commits`). #}
{% macro _references_of(kept) -%}
    {%- set found = {'landed': [], 'built': [], 'checkpoint': [], 'purged': []} -%}
    {%- do found.update(kept) -%}
    {%- set commits = "('" ~ kept['commit'] | join("', '") ~ "')" -%}
    {%- for row in run_query(sync_logs._references_query(commits)).rows -%}
        {%- do found[row[0]].append(row[1]) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{% macro _references_query(commits) %}
    {% for column in ['built', 'checkpoint'] %}
        select distinct '{{ column }}' as reference, {{ column }}_load_id as referred_load_id
        from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id in {{ commits }} and {{ column }}_load_id is not null
        union all
    {% endfor %}
    select distinct 'landed' as reference, landed_load_id as referred_load_id
    from {{ sync_logs.state_table('int_files__landed') }}
    where load_id in {{ commits }} and landed_load_id is not null
    union all
    select distinct 'purged' as reference, recorded_load_id as referred_load_id
    from {{ sync_logs.state_table('int_loads__recorded') }}
    where load_id in {{ commits }} and operation = 'purge'
{% endmacro %}

{% macro _partitions(relation) -%}
    {%- set found = [] -%}
    {%- for row in run_query('show partitions ' ~ relation).rows -%}
        {%- do found.append(row[0].split('=', 1)[1]) -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}

{#
  Whether a load cannot be that of a build which is still running elsewhere: nobody else builds while this
  process holds the catalog; on a server a load that is younger than a day may be somebody's.
#}
{% macro _is_nobodys(load_id, commits, is_alone) -%}
    {%- if load_id == sync_logs.load_id() -%}
        {# what a build that failed has written stays to be looked at until the next one #}
        {{ return(load_id in commits) }}
    {%- endif -%}
    {%- if is_alone or load_id == 'collecting' -%}
        {{ return(true) }}
    {%- endif -%}
    {%- set day_ago = run_started_at - modules.datetime.timedelta(days=1) -%}
    {{ return(load_id < day_ago.strftime('%Y%m%dT%H%M%S%f') or load_id < commits[-1]) }}
{%- endmacro %}

{# Whether the catalog is locked for this process, as the plugin says that starts the embedded Spark. #}
{% macro holds_catalog() -%}
    {{ return(run_query('set spark.sync_logs.holdsCatalog').rows[0][1] == 'true') }}
{%- endmacro %}
