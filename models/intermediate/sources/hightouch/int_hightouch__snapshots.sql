{#
  Rows of `sync_snapshot` that are the outcome of a run. A snapshot names no run: it is that of the
  last run of its sync, if that run has ended and its counts fit. Syncs with a changelog need no
  snapshot.
#}
{{ config(enabled=sync_logs.table_sources('hightouch') | length > 0) }}
{% set counts = {'added': 'num_planned_add', 'changed': 'num_planned_change'} %}
{% set texts = ['sync_id', 'row_id', 'op_type', 'status', 'failure_reason', 'failed_reason', 'fields',
    'split_group'] %}
{% set columns = texts + ['cleaned_op_type', 'organization_id'] %}
{% set sources = [] %}
{% for source in sync_logs.table_sources('hightouch')
    if 'row_id' in sync_logs.source_columns(source, 'sync_snapshot')
    and sync_logs.source_columns(source, 'sync_runs') %}
    {% do sources.append(source) %}
{% endfor %}
with

snapshot_rows as (
    {% for source in sources %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.cleaned(sync_logs.source_column(source, 'sync_snapshot', 'op_type')) }}
                as cleaned_op_type,
            {% for column in texts %}
                {{ sync_logs.source_column(source, 'sync_snapshot', column) }} as {{ column }}
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        from {{ sync_logs.source_relation(source, 'sync_snapshot') }}
        {% if not loop.last %}
            union all
        {% endif %}
    {% else %}
        select
            {% for column in columns %}
                cast(null as string) as {{ column }}{% if not loop.last %},{% endif %}
            {% endfor %}
        where false
    {% endfor %}
),

syncs_with_changelog as (
    {% for source in sources %}
        select distinct
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {{ sync_logs.source_column(source, 'sync_changelog', 'sync_id') }} as sync_id
        {% if sync_logs.source_columns(source, 'sync_changelog') %}
            from {{ sync_logs.source_relation(source, 'sync_changelog') }}
        {% else %}
            where false
        {% endif %}
        {% if not loop.last %}
            union all
        {% endif %}
    {% else %}
        select
            cast(null as string) as organization_id,
            cast(null as string) as sync_id
        where false
    {% endfor %}
),

runs as (
    {% for source in sources %}
        select
            {{ sync_logs.text_literal(source.organization_id) }} as organization_id,
            {% for column in ['sync_id', 'sync_run_id', 'status'] %}
                {{ sync_logs.source_column(source, 'sync_runs', column) }} as {{ column }},
            {% endfor %}
            {% for column in ['started_at', 'finished_at'] %}
                {{ sync_logs.source_column(source, 'sync_runs', column, 'timestamp') }}
                    as {{ column }},
            {% endfor %}
            {% for column in counts.values() %}
                {{ sync_logs.source_column(source, 'sync_runs', column, 'bigint') }}
                    as {{ column }}
                {%- if not loop.last %},{% endif %}
            {% endfor %}
        from {{ sync_logs.source_relation(source, 'sync_runs') }}
        {% if not loop.last %}
            union all
        {% endif %}
    {% else %}
        select
            {% for column in ['organization_id', 'sync_id', 'sync_run_id', 'status'] %}
                cast(null as string) as {{ column }},
            {% endfor %}
            cast(null as timestamp) as started_at,
            cast(null as timestamp) as finished_at,
            cast(null as bigint) as num_planned_add,
            cast(null as bigint) as num_planned_change
        where false
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
                status desc nulls last
        ) as run_rank
    from runs
    where sync_id is not null and sync_run_id is not null
),

rows_counted as (
    select
        organization_id,
        sync_id,
        {% for op_type in counts %}
            count(distinct case when cleaned_op_type = '{{ op_type }}' then row_id end)
                as {{ op_type }}_count
            {%- if not loop.last %},{% endif %}
        {% endfor %}
    from snapshot_rows
    where row_id is not null
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
    snapshot_rows.organization_id,
    snapshot_rows.sync_id,
    runs_of_snapshots.sync_run_id,
    snapshot_rows.row_id,
    snapshot_rows.op_type as operation,
    snapshot_rows.cleaned_op_type as op_type,
    snapshot_rows.status,
    coalesce(snapshot_rows.failure_reason, snapshot_rows.failed_reason) as failure_reason,
    snapshot_rows.fields,
    snapshot_rows.split_group
from snapshot_rows
inner join runs_of_snapshots
    on
        snapshot_rows.organization_id = runs_of_snapshots.organization_id
        and snapshot_rows.sync_id = runs_of_snapshots.sync_id
where snapshot_rows.row_id is not null
