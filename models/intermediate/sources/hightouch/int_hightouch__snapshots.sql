{#
  Rows of `sync_snapshot` that are the outcome of a run. A snapshot names no run: it is that of the
  last run of its sync, if that run has ended and its counts fit. Syncs with a changelog need no
  snapshot.
#}
{{ config(enabled=sync_logs.table_sources('hightouch') | length > 0) }}
{% set counts = {'added': 'num_planned_add', 'changed': 'num_planned_change'} %}
{% set texts = ['sync_id', 'row_id', 'op_type', 'status', 'failure_reason', 'failed_reason',
    'fields', 'split_group'] %}
{% set sources = sync_logs.sources_with(
    'hightouch', {'sync_snapshot': ['row_id'], 'sync_runs': ['sync_run_id']}) %}
with

snapshot_rows as (
    select
        {% for column in texts + ['organization_id', 'column_hash'] %}
            cast(null as string) as {{ column }}{% if not loop.last %},{% endif %}
        {% endfor %}
    where false
    {% for source in sources %}
        union all

        select
            {% for column in texts %}
                {{ sync_logs.source_column(source, 'sync_snapshot', column) }} as {{ column }},
            {% endfor %}
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            -- if a column is added, all rows are read again
            '{{ sync_logs.hash_of_columns(source, 'sync_snapshot') }}' as column_hash
        from {{ sync_logs.source_relation(source, 'sync_snapshot') }}
    {% endfor %}
),

syncs_with_changelog as (
    select
        cast(null as string) as organization_id,
        cast(null as string) as sync_id
    where false
    {% for source in sources if sync_logs.source_columns(source, 'sync_changelog') %}
        union all

        select distinct
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_changelog', 'sync_id') }} as sync_id
        from {{ sync_logs.source_relation(source, 'sync_changelog') }}
    {% endfor %}
),

-- the vendor may have deleted a changelog that was read
runs_with_changelog as (
    select
        organization_id,
        sync_id,
        sync_run_id
    from {{ sync_logs.of_committed(sync_logs.committed('files')) }}
    where
        file_path is null
        and file_kind = 'batch'
        and file_name = 'sync_changelog'
),

runs as (
    select
        {% for column in ['organization_id', 'sync_id', 'sync_run_id', 'status'] %}
            cast(null as string) as {{ column }},
        {% endfor %}
        cast(null as timestamp) as started_at,
        cast(null as timestamp) as finished_at,
        cast(null as bigint) as num_planned_add,
        cast(null as bigint) as num_planned_change
    where false
    {% for source in sources %}
        union all

        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {% for column in ['sync_id', 'sync_run_id', 'status'] %}
                {{ sync_logs.source_column(source, 'sync_runs', column) }} as {{ column }},
            {% endfor %}
            {% for column in ['started_at', 'finished_at'] %}
                {% set time = sync_logs.source_column(source, 'sync_runs', column, 'timestamp') %}
                {{ sync_logs.readable_time(time) }} as {{ column }},
            {% endfor %}
            {% for column in counts.values() %}
                {{ sync_logs.source_column(source, 'sync_runs', column, 'bigint') }}
                    as {{ column }}{% if not loop.last %},{% endif %}
            {% endfor %}
        from {{ sync_logs.source_relation(source, 'sync_runs') }}
    {% endfor %}
),

-- in the order of int_runs__ordered: runs without a start, and ids that are no numbers, come last
runs_ranked as (
    select
        *,
        row_number() over (
            partition by organization_id, sync_id
            order by
                started_at desc nulls first,
                case
                    when sync_run_id rlike '^[0-9]+$' then try_cast(sync_run_id as decimal(38, 0))
                end desc nulls first,
                sync_run_id desc,
                finished_at desc nulls last,
                status desc nulls last,
                num_planned_add desc nulls last,
                num_planned_change desc nulls last
        ) as run_rank
    from runs
    where sync_id is not null and sync_run_id is not null
),

rows_cleaned as (
    select
        *,
        {{ sync_logs.cleaned('op_type') }} as cleaned_op_type
    from snapshot_rows
    where row_id is not null
),

rows_counted as (
    select
        organization_id,
        sync_id,
        count(distinct case when cleaned_op_type = 'added' then row_id end) as added_count,
        count(distinct case when cleaned_op_type = 'changed' then row_id end) as changed_count
    from rows_cleaned
    group by organization_id, sync_id
),

runs_of_snapshots as (
    select
        runs_ranked.organization_id,
        runs_ranked.sync_id,
        runs_ranked.sync_run_id
    from runs_ranked
    inner join rows_counted
        on
            runs_ranked.organization_id = rows_counted.organization_id
            and runs_ranked.sync_id = rows_counted.sync_id
    left anti join syncs_with_changelog
        on
            runs_ranked.organization_id = syncs_with_changelog.organization_id
            and runs_ranked.sync_id = syncs_with_changelog.sync_id
    left anti join runs_with_changelog
        on
            runs_ranked.organization_id = runs_with_changelog.organization_id
            and runs_ranked.sync_id = runs_with_changelog.sync_id
            and runs_ranked.sync_run_id = runs_with_changelog.sync_run_id
    where
        runs_ranked.run_rank = 1
        and (
            runs_ranked.finished_at is not null
            or {{ sync_logs.run_outcome('runs_ranked.status') }} is not null
        )
        {% for op_type, column in counts.items() %}
            and coalesce(runs_ranked.{{ column }} = rows_counted.{{ op_type }}_count, true)
        {% endfor %}
)

select
    rows_cleaned.organization_id,
    rows_cleaned.sync_id,
    runs_of_snapshots.sync_run_id,
    rows_cleaned.row_id,
    rows_cleaned.op_type as operation,
    rows_cleaned.cleaned_op_type as op_type,
    rows_cleaned.status,
    coalesce(rows_cleaned.failure_reason, rows_cleaned.failed_reason) as failure_reason,
    rows_cleaned.fields,
    rows_cleaned.split_group,
    rows_cleaned.column_hash
from rows_cleaned
inner join runs_of_snapshots
    on
        rows_cleaned.organization_id = runs_of_snapshots.organization_id
        and rows_cleaned.sync_id = runs_of_snapshots.sync_id
