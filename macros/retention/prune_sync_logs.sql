{#
  Drops the row-level history (sync_records, sync_log, sync_changelog) of runs that are older than
  the retention. The results of these runs stay (sync_runs, memberships, snapshot), so later runs
  get the same op_types. Without a retention nothing is pruned.
    dbt run-operation prune_sync_logs                                shows what it would drop
    dbt run-operation prune_sync_logs --args '{dry_run: false}'      drops it
#}
{% macro prune_sync_logs(dry_run=true, organization_id=none, sync_id=none, retention_days=none) -%}
    {%- do sync_logs.check_operation('prune_sync_logs', {
        'dry_run': [dry_run, 'boolean'], 'organization_id': [organization_id, 'id'], 'sync_id': [sync_id, 'id'],
        'retention_days': [retention_days, 'days']}, kwargs) -%}
    {%- set previous_load_id = sync_logs.begin_operation() -%}
    {%- do sync_logs.check_scope(previous_load_id, organization_id, sync_id) -%}
    {%- do sync_logs.check_sync_settings() -%}
    {%- set prunable = sync_logs.prunable_runs(
        previous_load_id, organization_id, sync_id, retention_days) -%}
    {%- set syncs = run_query(sync_logs.prunable_syncs(prunable)).rows -%}
    {%- for row in syncs -%}
        {%- do log(
            ('Would prune ' if dry_run else 'Pruning ') ~ 'organisation ' ~ row['organization_id']
            ~ ', sync ' ~ row['sync_id'] ~ ': ' ~ row['run_count'] ~ ' runs with '
            ~ row['record_count'] ~ ' records, up to run ' ~ row['last_run'], info=true) -%}
    {%- endfor -%}
    {%- if not syncs -%}
        {%- do log('Nothing to prune in ' ~ sync_logs.mart_schema() ~ '.', info=true) -%}
    {%- elif dry_run -%}
        {%- do log("Nothing was changed. Add --args '{dry_run: false}' to prune.", info=true) -%}
    {%- else -%}
        {%- do sync_logs._prune(previous_load_id, prunable) -%}
    {%- endif -%}
{%- endmacro %}

{% macro _prune(previous_load_id, prunable) -%}
    {%- do sync_logs.announce_operation() -%}
    {%- set rewritten = run_query(sync_logs.loads_of_runs(previous_load_id, prunable)).columns[0].values() | list -%}
    {%- do sync_logs._insert_pruned_runs(previous_load_id, rewritten, prunable) -%}
    {%- do sync_logs._insert_pruned_files(previous_load_id, rewritten) -%}
    {%- do sync_logs.insert_horizon_states(previous_load_id) -%}
    {%- do sync_logs.publish_operation('prune', previous_load_id) -%}
    {%- do log('Pruned. A later build deletes the files of the dropped rows. To delete them now, run '
        ~ "`dbt run-operation sync_logs_collect --args '{keep_previous: false}'`.", info=true) -%}
{%- endmacro %}

{#
  Writes the manifest of runs after a prune. The first checkpoint that is still needed is the one
  after the last pruned run; this load writes it if it is missing. Later ones are kept.
#}
{% macro _insert_pruned_runs(previous_load_id, rewritten, prunable) -%}
    {%- set query -%}
        select
            runs.*,
            prunable.sync_run_id is not null as is_pruned_now,
            max(prunable.position) over (partition by runs.organization_id, runs.sync_id) as horizon_position
        from {{ sync_logs.state_table('int_runs__planned') }} as runs
        left join ({{ prunable }}) as prunable
            on
                runs.organization_id = prunable.organization_id
                and runs.sync_id = prunable.sync_id
                and runs.sync_run_id = prunable.sync_run_id
        where runs.load_id = '{{ previous_load_id }}'
    {%- endset -%}
    {%- set gone = '(moved.is_pruned_now or coalesce(moved.is_pruned, false))' -%}
    {%- set this_load = "'" ~ sync_logs.operation_load_id() ~ "'" -%}
    {%- do sync_logs.insert_rows('int_runs__planned', query, {
        'is_pruned': gone,
        'built_load_id': sync_logs.moved_load('built_load_id', rewritten),
        'checkpoint_load_id':
            'case when moved.position = moved.horizon_position and moved.checkpoint_load_id is null then '
            ~ this_load ~ ' when moved.position < moved.horizon_position then null else '
            ~ sync_logs.moved_load('checkpoint_load_id', rewritten) ~ ' end',
    }) -%}
{%- endmacro %}

{#
  Writes the manifest of files after a prune, from the manifest of runs, which is already written.
#}
{% macro _insert_pruned_files(previous_load_id, rewritten) -%}
    {%- set query -%}
        select
            files.*,
            pruned_runs.sync_run_id is not null as is_pruned_now
        from {{ sync_logs.state_table('int_files__landed') }} as files
        left join {{ sync_logs.state_table('int_runs__planned') }} as pruned_runs
            on
                files.organization_id = pruned_runs.organization_id
                and files.sync_id = pruned_runs.sync_id
                and files.sync_run_id = pruned_runs.sync_run_id
                and pruned_runs.load_id = '{{ sync_logs.operation_load_id() }}'
                and pruned_runs.is_pruned
        where files.load_id = '{{ previous_load_id }}'
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_files__landed', query, {
        'is_pruned': 'moved.is_pruned_now',
        'landed_load_id':
            'case when not moved.is_pruned_now then '
            ~ sync_logs.moved_load('landed_load_id', rewritten) ~ ' end',
        'issue': 'case when coalesce(moved.is_pruned, false) or not moved.is_pruned_now then moved.issue end',
    }) -%}
{%- endmacro %}
