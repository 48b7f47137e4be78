{#
  Rewrites many small loads as one, so that reading a table does not open hundreds of partitions.
  Large loads stay until the small ones together have grown to half their size. Each row is
  therefore rewritten only a few times, however many builds there are.
  By hand: dbt run-operation sync_logs_compact
#}
{% macro sync_logs_compact() -%}
    {%- do sync_logs.check_operation('sync_logs_compact', {}, kwargs) -%}
    {%- set previous_load_id = sync_logs.begin_operation() -%}
    {%- set rewritten = sync_logs._loads_to_rewrite(previous_load_id) -%}
    {%- if rewritten | length < 2 -%}
        {%- do log('Nothing to compact in ' ~ sync_logs.mart_schema() ~ '.', info=true) -%}
    {%- else -%}
        {%- do sync_logs._compact(previous_load_id, rewritten) -%}
    {%- endif -%}
{%- endmacro %}

{# Compacts at the end of a build, but only above `sync_logs_max_live_loads`. #}
{% macro compact_if_many(references) -%}
    {%- set live = sync_logs.live_loads(references) -%}
    {%- if live | length > var('sync_logs_max_live_loads') -%}
        {%- set rewritten = sync_logs._loads_to_rewrite(references['load'][0]) -%}
        {%- if rewritten | length >= 2 -%}
            {%- do sync_logs._compact(references['load'][0], rewritten) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{% macro _compact(previous_load_id, rewritten) -%}
    {%- do log('Compacting ' ~ rewritten | length ~ ' loads of ' ~ sync_logs.mart_schema() ~ ' ...', info=true) -%}
    {%- do sync_logs.announce_operation() -%}
    {%- do sync_logs.rewrite_manifests(previous_load_id, rewritten) -%}
    {%- do sync_logs.publish_operation('compact', previous_load_id, keeps_answers=true) -%}
    {%- do log(rewritten | length ~ ' loads are now one. A later build drops the old ones.', info=true) -%}
{%- endmacro %}

{#
  Writes the manifests of this load: those of the previous load, with references to rewritten loads
  moved to this load.
  Arguments: previous_load_id (string); rewritten (list of load ids); run_changes (mapping of column to
  SQL expression): other changes in the manifest of runs, where `moved` is the row of the previous
  load.
#}
{% macro rewrite_manifests(previous_load_id, rewritten, run_changes={}) -%}
    {%- set changes = {'int_runs__planned': {}, 'int_files__landed': {}} -%}
    {%- for manifest in sync_logs.manifests().values() -%}
        {%- do changes[manifest.table].update(
            {manifest.column: sync_logs.moved_load(manifest.column, rewritten)}) -%}
    {%- endfor -%}
    {%- do changes['int_runs__planned'].update(run_changes) -%}
    {%- for table, replaced in changes.items() -%}
        {%- set entries -%}
            select * from {{ sync_logs.state_table(table) }}
            where load_id = '{{ previous_load_id }}'
        {%- endset -%}
        {%- do sync_logs.insert_rows(table, entries, replaced) -%}
    {%- endfor -%}
{%- endmacro %}

{#
  Returns the live loads from the smallest up to the last one that is at most twice as large as all
  smaller ones together.
#}
{% macro _loads_to_rewrite(previous_load_id) -%}
    {%- set query -%}
        with

        references_counted as (
            {% for manifest in sync_logs.manifests().values() %}
                select {{ manifest.column }} as live_load_id, sum(record_count) as record_count
                from {{ sync_logs.state_table(manifest.table) }}
                where load_id = '{{ previous_load_id }}' and {{ manifest.column }} is not null
                group by {{ manifest.column }}
                {{ 'union all' if not loop.last }}
            {% endfor %}
        ),

        loads_sized as (
            select live_load_id, coalesce(sum(record_count), 0) as record_count
            from references_counted
            group by live_load_id
        ),

        loads_ranked as (
            select
                *,
                row_number() over (order by record_count asc, live_load_id asc) as size_rank,
                coalesce(sum(record_count) over (
                    order by record_count asc, live_load_id asc
                    rows between unbounded preceding and 1 preceding
                ), 0) as smaller_record_count
            from loads_sized
        ),

        limits as (
            select max(
                case when size_rank = 1 or record_count <= 2 * smaller_record_count then size_rank end
            ) as last_rank
            from loads_ranked
        )

        select loads_ranked.live_load_id
        from loads_ranked
        inner join limits on loads_ranked.size_rank <= limits.last_rank
        order by loads_ranked.live_load_id
    {%- endset -%}
    {{ return(run_query(query).columns[0].values() | list) }}
{%- endmacro %}

{#
  Returns the loads that a commit refers to.
  Arguments: references (mapping): as returned by `live_references`.
#}
{% macro live_loads(references) -%}
    {%- set live = [] -%}
    {%- for rows_of in sync_logs.manifests() -%}
        {%- do live.extend(references[rows_of]) -%}
    {%- endfor -%}
    {{ return(live | unique | list) }}
{%- endmacro %}
