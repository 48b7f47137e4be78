{#
  Drops the row-level history (sync_records, sync_log, sync_changelog) of runs that are older than the
  retention. What they led to stays: sync_runs, memberships, snapshot, and so every later op_type.
  Without a retention nothing is pruned.
    dbt run-operation prune_sync_logs                                shows what would go
    dbt run-operation prune_sync_logs --args '{dry_run: false}'      drops it
  Arguments: dry_run (boolean), organization_id, sync_id (strings, null for all), retention_days
  (number; null: the sync's setting, else `sync_logs_retention_days`).
#}
{% macro prune_sync_logs(dry_run=true, organization_id=none, sync_id=none, retention_days=none) -%}
    {%- do sync_logs.check_operation({
        'dry_run': [dry_run, 'boolean'], 'retention_days': [retention_days, 'days']}) -%}
    {%- set base_load_id = sync_logs.begin_operation() -%}
    {%- do sync_logs.check_scope(base_load_id, organization_id, sync_id) -%}
    {%- set prunable = sync_logs._prunable_runs(
        base_load_id, organization_id, sync_id, retention_days) -%}
    {%- set syncs = run_query(sync_logs._prunable_syncs(prunable)).rows -%}
    {%- for row in syncs -%}
        {%- do log(
            ('Would prune ' if dry_run else 'Pruning ') ~ 'organization ' ~ row['organization_id']
            ~ ', sync ' ~ row['sync_id'] ~ ': ' ~ row['run_count'] ~ ' runs with '
            ~ row['record_count'] ~ ' records, up to run ' ~ row['last_run'], info=true) -%}
    {%- endfor -%}
    {%- if not syncs -%}
        {%- do log('Nothing to prune in ' ~ target.schema ~ '.', info=true) -%}
    {%- elif dry_run -%}
        {%- do log("Nothing was changed. Add --args '{dry_run: false}' to prune.", info=true) -%}
    {%- else -%}
        {%- do sync_logs._prune(base_load_id, prunable) -%}
    {%- endif -%}
{%- endmacro %}

{% macro _prune(base_load_id, prunable) -%}
    {%- set rewritten = run_query(sync_logs._loads_of_runs(base_load_id, prunable)).columns[0].values() | list -%}
    {%- do sync_logs._insert_pruned_runs(base_load_id, rewritten, prunable) -%}
    {%- do sync_logs._insert_pruned_files(base_load_id, rewritten) -%}
    {%- do sync_logs._insert_horizon_states(base_load_id) -%}
    {%- do sync_logs.publish_operation('prune', base_load_id) -%}
    {%- do log('Pruned. The files of the dropped rows go with the next build but one, or with '
        ~ "`dbt run-operation sync_logs_collect --args '{keep_previous: false}'`.", info=true) -%}
{%- endmacro %}

{#
  Query: runs that are to be pruned: from the first run of a sync on, as long as they are settled and
  older than the retention. A run that waits for a recount after a purge is left to the next time.
#}
{% macro _prunable_runs(base_load_id, organization_id, sync_id, retention_days) %}
    with

    runs as (
        select * from {{ sync_logs.state_table('int_runs__planned') }}
        where load_id = '{{ base_load_id }}' and not coalesce(is_too_late, false)
    ),

    settings as (
        select * from {{ sync_logs.state_table('stg_sync_logs__sync_settings') }}
    ),

    runs_aged as (
        select
            runs.*,
            runs.is_settled
            and not coalesce(runs.is_recount_due, false)
            and coalesce(settings.is_active, true)
            {% if organization_id is not none %}
                and runs.organization_id = {{ sync_logs.text_literal(organization_id) }}
            {% endif %}
            {% if sync_id is not none %}
                and runs.sync_id = {{ sync_logs.text_literal(sync_id) }}
            {% endif %}
            and greatest(runs.order_at, runs.last_batch_ended_at)
            < {{ sync_logs.as_of() }} - make_dt_interval(0, 0, 0, cast(
                {% if retention_days is not none %}
                    {{ retention_days }}
                {% else %}
                    coalesce(settings.retention_days, {{ var('sync_logs_retention_days') or 'null' }})
                {% endif %}
                as decimal(18, 6)) * 86400) as is_old
        from runs
        left join settings
            on
                runs.organization_id = settings.organization_id
                and runs.sync_id = settings.sync_id
    ),

    runs_bounded as (
        select
            *,
            min(case when not coalesce(is_pruned, false) and not coalesce(is_old, false) then position end)
                over (partition by organization_id, sync_id) as first_kept_position
        from runs_aged
    )

    select
        organization_id,
        sync_id,
        sync_run_id,
        position,
        record_count
    from runs_bounded
    where
        not coalesce(is_pruned, false)
        and (first_kept_position is null or position < first_kept_position)
{% endmacro %}

{% macro _prunable_syncs(prunable) %}
    select
        organization_id,
        sync_id,
        count(*) as run_count,
        sum(record_count) as record_count,
        max_by(sync_run_id, position) as last_run
    from ({{ prunable }})
    group by organization_id, sync_id
    order by organization_id, sync_id
{% endmacro %}

{# Query: loads that hold rows of these runs. #}
{% macro _loads_of_runs(base_load_id, prunable) %}
    with

    prunable as (
        select * from ({{ prunable }})
    )

    {% for reference in ['outcomes', 'built'] %}
        select runs.{{ reference }}_load_id as load_id
        from {{ sync_logs.state_table('int_runs__planned') }} as runs
        left semi join prunable
            on
                runs.organization_id = prunable.organization_id
                and runs.sync_id = prunable.sync_id
                and runs.sync_run_id = prunable.sync_run_id
        where runs.load_id = '{{ base_load_id }}' and runs.{{ reference }}_load_id is not null
        union
    {% endfor %}
    select files.landed_load_id as load_id
    from {{ sync_logs.state_table('int_files__landed') }} as files
    left semi join prunable
        on
            files.organization_id = prunable.organization_id
            and files.sync_id = prunable.sync_id
            and files.sync_run_id = prunable.sync_run_id
    where files.load_id = '{{ base_load_id }}' and files.landed_load_id is not null
{% endmacro %}

{#
  The manifest of runs after pruning. Of the checkpoints, the one after the last pruned run is the first
  that is needed; where there is none, this load makes it.
#}
{% macro _insert_pruned_runs(base_load_id, rewritten, prunable) -%}
    {%- set query -%}
        select
            runs.*,
            prunable.sync_run_id is not null as is_pruned_now,
            max(prunable.position) over (partition by runs.organization_id, runs.sync_id)
                as horizon_position
        from {{ sync_logs.state_table('int_runs__planned') }} as runs
        left join ({{ prunable }}) as prunable
            on
                runs.organization_id = prunable.organization_id
                and runs.sync_id = prunable.sync_id
                and runs.sync_run_id = prunable.sync_run_id
        where runs.load_id = '{{ base_load_id }}'
    {%- endset -%}
    {%- set gone = '(moved.is_pruned_now or coalesce(moved.is_pruned, false))' -%}
    {%- set this_load = "'" ~ sync_logs.operation_load_id() ~ "'" -%}
    {%- do sync_logs.insert_rows('int_runs__planned', query, {
        'is_pruned': gone,
        'outcomes_version': 'coalesce(moved.outcomes_version, moved.outcomes_load_id)',
        'outcomes_load_id':
            'case when not ' ~ gone ~ ' then ' ~ sync_logs.moved_load('outcomes_load_id', rewritten) ~ ' end',
        'built_load_id': sync_logs.moved_load('built_load_id', rewritten),
        'checkpoint_load_id':
            'case when moved.position = moved.horizon_position and moved.checkpoint_load_id is null then '
            ~ this_load ~ ' when moved.position < moved.horizon_position then null else '
            ~ sync_logs.moved_load('checkpoint_load_id', rewritten) ~ ' end',
    }) -%}
{%- endmacro %}

{# The manifest of files after pruning; it follows that of the runs, which is written already. #}
{% macro _insert_pruned_files(base_load_id, rewritten) -%}
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
        where files.load_id = '{{ base_load_id }}'
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_files__landed', query, {
        'is_pruned': 'moved.is_pruned_now',
        'landed_load_id':
            'case when not moved.is_pruned_now then '
            ~ sync_logs.moved_load('landed_load_id', rewritten) ~ ' end',
        'issue': 'case when coalesce(moved.is_pruned, false) or not moved.is_pruned_now then moved.issue end',
    }) -%}
{%- endmacro %}

{# States of the records after the last pruned run of each sync that has no checkpoint there. #}
{% macro _insert_horizon_states(base_load_id) -%}
    {%- set query -%}
        with

        base_runs as (
            select * from {{ sync_logs.state_table('int_runs__planned') }}
            where load_id = '{{ base_load_id }}'
        ),

        new_runs as (
            select * from {{ sync_logs.state_table('int_runs__planned') }}
            where load_id = '{{ sync_logs.operation_load_id() }}'
        ),

        checkpoints as (
            select
                new_runs.organization_id,
                new_runs.sync_id,
                new_runs.position as checkpoint_position
            from new_runs
            inner join base_runs
                on
                    new_runs.organization_id = base_runs.organization_id
                    and new_runs.sync_id = base_runs.sync_id
                    and new_runs.position = base_runs.position
            where
                new_runs.checkpoint_load_id = '{{ sync_logs.operation_load_id() }}'
                and base_runs.checkpoint_load_id is null
        ),

        -- the nearest checkpoint before it, if there is one, and the runs after that
        starts as (
            select
                checkpoints.organization_id,
                checkpoints.sync_id,
                max(base_runs.position) as position,
                max_by(base_runs.checkpoint_load_id, base_runs.position) as checkpoint_load_id
            from checkpoints
            inner join base_runs
                on
                    checkpoints.organization_id = base_runs.organization_id
                    and checkpoints.sync_id = base_runs.sync_id
                    and checkpoints.checkpoint_position > base_runs.position
            where base_runs.checkpoint_load_id is not null
            group by checkpoints.organization_id, checkpoints.sync_id
        ),

        runs_followed as (
            select base_runs.*
            from base_runs
            inner join checkpoints
                on
                    base_runs.organization_id = checkpoints.organization_id
                    and base_runs.sync_id = checkpoints.sync_id
                    and base_runs.position <= checkpoints.checkpoint_position
            left join starts
                on
                    base_runs.organization_id = starts.organization_id
                    and base_runs.sync_id = starts.sync_id
            where base_runs.position > coalesce(starts.position, 0)
        ),

        seed_states as (
            select states.*
            from {{ sync_logs.state_table('int_record_states__built') }} as states
            inner join starts
                on
                    states.load_id = starts.checkpoint_load_id
                    and states.organization_id = starts.organization_id
                    and states.sync_id = starts.sync_id
                    and states.position = starts.position
        ),

        {% for name, table in {
            'changelog': 'int_changelog__built',
            'membership_events': 'int_membership_events__built'}.items() %}
            {{ name }} as (
                select {{ name }}_rows.*
                from {{ sync_logs.state_table(table) }} as {{ name }}_rows
                inner join runs_followed
                    on
                        {{ name }}_rows.load_id = runs_followed.built_load_id
                        and {{ name }}_rows.organization_id = runs_followed.organization_id
                        and {{ name }}_rows.sync_id = runs_followed.sync_id
                        and {{ name }}_rows.position = runs_followed.position
            ),
        {% endfor %}

        {{ sync_logs.record_states_at(
            'changelog', 'membership_events', 'seed_states', 'checkpoints') }}
    {%- endset -%}
    {%- do sync_logs.insert_rows('int_record_states__built', query) -%}
{%- endmacro %}
