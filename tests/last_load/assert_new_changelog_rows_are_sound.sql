-- Changelog rows of the last load: each logged row occurs at most once, words are known, only
-- failed rows have a reason, and each run has as many rows as are counted.
-- depends_on: {{ ref('sync_logs', 'sync_runs') }} (a leaf: a failure here must block nothing)
with

load_current as (
    select * from {{ ref('sync_load_current') }}
    where {{ sync_logs.is_load_to_test() }}
),

all_changelog as (
    select * from {{ ref('int_changelog__built') }}
    where load_id = (select load_current.load_id from load_current)
),

all_run_counts as (
    select * from {{ ref('int_run_counts__built') }}
    where load_id = (select load_current.load_id from load_current)
),

-- after a prune or a purge, the counts of a run are those of rows that are no longer there
runs_without_rows as (
    select * from {{ ref('int_runs__live') }}
    where is_pruned or is_recount_due
),

{% for rows in ['changelog', 'run_counts'] %}
    {{ rows }} as (
        select all_{{ rows }}.*
        from all_{{ rows }}
        left anti join runs_without_rows
            on
                all_{{ rows }}.organization_id = runs_without_rows.organization_id
                and all_{{ rows }}.sync_id = runs_without_rows.sync_id
                and all_{{ rows }}.sync_run_id = runs_without_rows.sync_run_id
    ),
{% endfor %}

rows_counted as (
    select
        organization_id,
        sync_id,
        sync_run_id,
        count(*) as row_count,
        count(distinct struct(file_name, row_index)) as logged_row_count,
        count_if(
            op_type not in ('added', 'changed', 'removed')
            or status not in ('succeeded', 'failed', 'aborted')
            or (status != 'failed' and failed_reason is not null)
        ) as unsound_count
    from changelog
    group by organization_id, sync_id, sync_run_id
)

select
    coalesce(rows_counted.organization_id, run_counts.organization_id) as organization_id,
    coalesce(rows_counted.sync_id, run_counts.sync_id) as sync_id,
    coalesce(rows_counted.sync_run_id, run_counts.sync_run_id) as sync_run_id,
    rows_counted.row_count,
    rows_counted.logged_row_count,
    rows_counted.unsound_count,
    run_counts.num_planned_add + run_counts.num_planned_change + run_counts.num_planned_remove
        as planned_count
from rows_counted
-- a run of which all rows are lost is only counted
full outer join run_counts
    on
        rows_counted.organization_id = run_counts.organization_id
        and rows_counted.sync_id = run_counts.sync_id
        and rows_counted.sync_run_id = run_counts.sync_run_id
where
    rows_counted.unsound_count > 0
    or rows_counted.row_count != rows_counted.logged_row_count
    or coalesce(rows_counted.row_count, 0) is distinct from
    run_counts.num_planned_add + run_counts.num_planned_change + run_counts.num_planned_remove
